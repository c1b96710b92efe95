import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { signIn } from './support/dashboard.ts';
import { clickIdOn, complaintsOf, type Funnel, pageWith, SERVICE, World } from './support/world.ts';

// Everything that happens to a partner when email is off: from the public page to a payout, and to the deduction after a refund.

const SHOP = 'https://shop.example';
const SLUG = 'tea-partners';
const PASSWORD = 'four plain words together';

let world: World;
let program: Funnel;
let owner: Page;
/** The console errors of the owner's pages, then of the partner's. */
const complaints: (readonly string[])[] = [];
beforeAll(async () => {
	world = await World.open();
	program = await world.funnel({ domain: 'shop.example', allowed_origins: [SHOP] });
	world.shop('shop.example', { pages: { '/': pageWith() } });
	owner = await signIn(await world.visitor(), program, 'applications');
	complaints.push(complaintsOf(owner));
	await openForm();
});
afterAll(() => world.close());

async function openForm(): Promise<void> {
	await owner.getByRole('button', { name: 'Settings' }).click();
	const dialog = owner.getByRole('dialog');
	await dialog.getByRole('button', { name: 'Applications' }).click();
	await owner.getByRole('option', { name: 'Open: you decide' }).click();
	await dialog.getByLabel('Address').fill(SLUG);
	await dialog.getByLabel('Description').fill('Tea from small gardens.');
	await dialog.getByLabel('Terms').fill('1. Be honest.\n\n2. No ads on our name.');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await owner.getByText(`/p/${SLUG}`).waitFor();
}

async function tab(visitor: BrowserContext, path: string): Promise<Page> {
	const page = await visitor.newPage();
	complaints.push(complaintsOf(page));
	await page.goto(`${SERVICE}${path}`);
	return page;
}

async function apply(page: Page, { name, email }: { name: string; email: string }): Promise<void> {
	await page.getByLabel('Your name').fill(name);
	await page.getByLabel('Email address', { exact: true }).fill(email);
	await page.getByLabel('Website or profile').fill('blog.example');
	await page.getByLabel('How would you recommend').fill('I write about tea.');
	await page.getByLabel('I accept the terms').check();
	await page.getByRole('button', { name: 'Apply' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
}

/** Returns the link to hand over. */
async function approve(name: string): Promise<string> {
	await owner.goto(`${SERVICE}/dashboard/programs/${program.programId}/applications`);
	await owner
		.getByRole('row')
		.filter({ hasText: name })
		.click({ position: { x: 120, y: 12 } });
	await owner.getByRole('button', { name: 'Approve' }).click();
	await owner
		.getByRole('dialog', { name: `Approve ${name}?` })
		.getByRole('button', { name: 'Approve' })
		.click();
	const panel = owner.getByRole('dialog', { name: `${name} is now a partner` });
	await panel.getByText('not emailed').waitFor();
	const [link = ''] = await panel.locator('code').allTextContents();
	await panel.getByRole('button', { name: 'Done' }).click();
	return link;
}

async function accept(page: Page, link: string, name: string): Promise<void> {
	await page.goto(link);
	await page.getByLabel('Your name').waitFor();
	expect(await page.getByLabel('Your name').inputValue()).toBe(name);
	await page.getByLabel('Choose a password').fill(PASSWORD);
	const asked: string[] = [];
	page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname.replace(/inv_\w+/, ':token')}`));
	await page.getByRole('button', { name: 'Accept', exact: true }).click();
	await page.waitForURL(/\/portal\/programs\/\d+$/);
	await page.getByRole('heading', { level: 1 }).waitFor();
	// The page must not request a used invitation again, because it would then say that the invitation does not work.
	expect(asked.filter((one) => one.includes('/invitations/'))).toEqual(['POST /api/v1/invitations/:token/accept']);
}

async function buy(link: string, transaction_id: string, amount_cents: number): Promise<void> {
	const shopper = await world.visitor();
	const page = await shopper.newPage();
	await world.land(page, link);
	const click_id = await clickIdOn(page);
	await world.backend(program).sale({ transaction_id, amount_cents, click_id: String(click_id) });
	await shopper.close();
}

async function pay(sum: string): Promise<void> {
	await owner.goto(`${SERVICE}/dashboard/programs/${program.programId}/payouts`);
	await owner.getByRole('button', { name: 'Create payouts' }).click();
	await owner.getByRole('alertdialog').getByRole('button', { name: 'Create payouts' }).click();
	await owner.getByText(`Created: 1 payout of ${sum}`).waitFor();
}

/** The text appears shortly after the event. */
async function told(page: Page, path: string, text: string | RegExp): Promise<void> {
	await expect
		.poll(async () => {
			await page.goto(`${SERVICE}${path}`);
			await page.getByRole('heading', { level: 1 }).waitFor();
			return page
				.getByText(text)
				.first()
				.waitFor({ timeout: 2_000 })
				.then(
					() => true,
					() => false,
				);
		})
		.toBe(true);
}

test('a partner gets from the public page to a payout, and to the deduction after a refund', async () => {
	const browser = await world.visitor({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] });
	const page = await tab(browser, `/p/${SLUG}`);
	await page.getByText('A sale of $100 earns you $20').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await page.getByRole('button', { name: 'Apply' }).click();
	await page.getByText('Read and accept the terms.').waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await apply(page, { name: 'Ines', email: 'ines@blog.example' });
	expect(await hurdlesOn(page)).toEqual([]);
	await page.reload();
	await page.getByRole('heading', { name: 'You have applied' }).waitFor();

	await accept(page, await approve('Ines'), 'Ines');
	await page.getByRole('button', { name: 'Copy your link' }).click();
	const link: string = await page.evaluate('navigator.clipboard.readText()');
	expect(link.startsWith(`${SERVICE}/r/`)).toBe(true);
	const home = new URL(page.url()).pathname;

	await buy(link, 'order-1', 10_000);
	await told(page, `${home}/commissions`, '$20.00');
	await told(page, '/portal/notifications', /20\.00/);
	await world.backend(program).refund({ transaction_id: 'order-1', refund_reason: 'Broken pot' });
	await told(page, `${home}/commissions`, /refunded/);
	await page
		.getByRole('row')
		.last()
		.click({ position: { x: 40, y: 12 } });
	await page.getByText('Broken pot').first().waitFor();
	await page.keyboard.press('Escape');

	await buy(link, 'order-2', 10_000);
	await told(page, `${home}/commissions`, /Available\s*1 · \$20\.00/);
	await pay('$20.00');
	await told(page, `${home}/payouts`, '$20.00');
	await world.backend(program).refund({ transaction_id: 'order-2' });
	await buy(link, 'order-3', 30_000);
	await told(page, `${home}/commissions`, /Available\s*1 · \$60\.00/);
	await pay('$40.00');
	await told(page, `${home}/payouts`, '$40.00');
	await page
		.getByRole('row')
		.filter({ hasText: '$40.00' })
		.first()
		.click({ position: { x: 40, y: 12 } });
	await page.getByText('$20.00 was deducted. It was in an earlier payout, for sales that were refunded later').waitFor();
	expect(await page.content()).not.toContain('order-');
	expect(complaints.flat()).toEqual([]);
});

test('applying twice makes one application; a suspended partner can sign in and sees it', async () => {
	const [one, other] = [await world.visitor(), await world.visitor()];
	const [page, again] = [await tab(one, `/p/${SLUG}`), await tab(other, `/p/${SLUG}`)];
	const robin = { name: 'Robin', email: 'robin@blog.example' };
	await Promise.all([apply(page, robin), apply(again, { ...robin, email: 'Robin@Blog.example' })]);
	const link = await approve('Robin');
	await owner.getByRole('link', { name: /^Approved/ }).waitFor();
	const kept = await world.service.rows("SELECT id FROM partner_applications WHERE email = 'robin@blog.example'");
	expect(kept).toHaveLength(1);
	await accept(page, link, 'Robin');

	await owner.goto(`${SERVICE}/dashboard/programs/${program.programId}/partners`);
	await owner.getByRole('row').filter({ hasText: 'Robin' }).getByRole('checkbox').check({ force: true });
	await owner.getByRole('button', { name: 'Suspend 1' }).click();
	await owner.getByRole('dialog').getByLabel('Reason').fill('Ads on our name');
	await owner.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
	await owner.getByRole('row').filter({ hasText: 'Robin' }).getByText('Suspended').waitFor();

	await again.goto(`${SERVICE}/portal/sign-in`);
	await again.getByLabel('Email address', { exact: true }).fill(robin.email);
	await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
	await again.getByRole('button', { name: 'Sign in' }).click();
	await again.getByText('The program has suspended you.').waitFor();
	expect(complaints.flat()).toEqual([]);
});

test('if the terms change while somebody reads them, the new ones must be accepted', async () => {
	const page = await tab(await world.visitor(), `/p/${SLUG}`);
	await owner.goto(`${SERVICE}/dashboard/programs/${program.programId}/applications`);
	await owner.getByRole('button', { name: 'Settings' }).click();
	await owner.getByRole('dialog').getByLabel('Terms').fill('1. Be kind too.');
	await owner.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
	await owner.getByText('Terms: version 2').waitFor();
	const terms = page.getByLabel('I accept the terms');
	await page.getByLabel('Your name').fill('Tess');
	await page.getByLabel('Email address', { exact: true }).fill('tess@blog.example');
	await terms.check();
	await page.getByRole('button', { name: 'Apply' }).click();
	await page.getByRole('alert').getByText('The terms have changed: read and accept version 2').waitFor();
	await page.getByText('1. Be kind too.').waitFor();
	expect(await terms.isChecked()).toBe(false);
	await terms.check();
	await page.getByRole('button', { name: 'Apply' }).click();
	await page.getByRole('heading', { name: 'Thank you' }).waitFor();
	const kept = await world.service.rows("SELECT terms_version FROM partner_applications WHERE email = 'tess@blog.example'");
	expect(kept).toEqual([{ terms_version: 2 }]);
});

test('the page of a program that has closed its applications is gone, even for a visitor filling in the form', async () => {
	const page = await tab(await world.visitor(), `/p/${SLUG}`);
	await page.getByLabel('Your name').fill('Late');
	await page.getByLabel('Email address', { exact: true }).fill('late@blog.example');
	await page.getByLabel('I accept the terms').check();
	await world.service.rows("UPDATE application_forms SET mode = 'closed' WHERE slug = ?", SLUG);
	await page.getByRole('button', { name: 'Apply' }).click();
	await page.getByRole('alert').getByText('Program page not found').waitFor();
	const answer = await page.reload();
	expect(answer?.status()).toBe(404);
	await page.getByRole('heading', { name: 'Page not found' }).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
});
