import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTab, sell, signIn, tabTo } from './support/dashboard.ts';
import { complaintsOf, type Funnel, World } from './support/world.ts';

// Partners' earnings on the dashboard: decisions, payouts and refunds.

// Each test goes through several pages.
const HELD = { type: 'percent', percent: 20, hold_days: 30 };

let world: World;
let visitor: BrowserContext;
beforeAll(async () => {
	world = await World.open();
});
beforeEach(async () => {
	visitor = await world.visitor();
});
afterAll(() => world.close());

const statuses = async ({ programId }: Funnel) =>
	(await world.service.rows<{ status: string }>('SELECT status FROM commissions WHERE program_id = ? ORDER BY id', programId)).map(
		({ status }) => status,
	);
const audited = async ({ programId }: Funnel, action: string) =>
	(await world.service.rows('SELECT id FROM audit_entries WHERE program_id = ? AND action = ?', programId, action)).length;

function approvalsOf(page: Page): string[] {
	const sent: string[] = [];
	page.on('request', (request) => {
		if (request.url().endsWith('/commissions/approve')) sent.push(request.postData() ?? '');
	});
	return sent;
}

/** Sales of 100.00 for Pat. */
async function earn(funnel: Funnel, name: string, sales: number): Promise<void> {
	for (let sale = 1; sale <= sales; sale += 1) await sell(world, funnel, { transaction_id: `${name}-${sale}`, amount_cents: 10_000 });
}

async function choosePage(page: Page): Promise<void> {
	await page.locator('thead .tick').click();
}

async function confirm(page: Page, action: string): Promise<void> {
	await page.getByRole('button', { name: action }).click();
	await page.getByRole('alertdialog').getByRole('button', { name: action }).click();
}

test('a refund of a paid commission warns, and the next payout recovers the debt', async () => {
	const funnel = await world.funnel({});
	await earn(funnel, 'debt', 1);
	const page = await signIn(visitor, funnel, 'payouts');
	const complaints = complaintsOf(page);
	await page.getByText('1 payout ready: $20.00').waitFor();
	await confirm(page, 'Create payouts');
	await page.getByText('Created: 1 payout of $20.00').waitFor();
	await page.getByRole('link', { name: 'Send them' }).click();
	await page.getByRole('button', { name: '1 payout not in any file: see why' }).click();
	await page.getByText('The partner has not entered payout details').waitFor();
	await page.keyboard.press('Escape');
	await choosePage(page);
	await page.getByRole('button', { name: 'Mark as sent' }).click();
	await page.getByLabel('Reference').fill('transfer 17');
	await page.getByRole('dialog').getByRole('button', { name: 'Mark as sent' }).click();
	await page.getByText('No payouts to send').waitFor();

	await world.backend(funnel).refund({ transaction_id: 'debt-1' });
	// The notification follows a moment after the refund, and the bell updates once a minute.
	await expect
		.poll(() => world.service.rows("SELECT kind FROM notifications WHERE program_id = ? AND kind = 'manual_review'", funnel.programId))
		.toHaveLength(1);
	await page.reload();
	await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
	await page.getByRole('link', { name: 'Commissions' }).click();
	await page.getByRole('link', { name: /^Refunded\s*\$20\.00\s*1$/ }).click();
	await page.getByRole('row', { name: 'debt-1' }).click();
	await page.getByText('The sale was refunded in full after payout').first().waitFor();
	await page.keyboard.press('Escape');

	await page.getByRole('link', { name: 'Payouts' }).click();
	await page.getByText('The partner has a debt of 20.00 USD').waitFor();
	await sell(world, funnel, { transaction_id: 'debt-2', amount_cents: 30_000 });
	await page.reload();
	await page.getByText('1 payout ready: $40.00').waitFor();
	await page.getByRole('button', { name: 'Create payouts' }).click();
	await page.getByText('$20.00 is deducted for debts').waitFor();
	await page.getByRole('alertdialog').getByRole('button', { name: 'Create payouts' }).click();
	await page.getByText('Created: 1 payout of $40.00').waitFor();
	await page.getByRole('link', { name: 'Send them' }).click();
	await page.getByRole('row').filter({ hasText: '$40.00' }).click();
	await page.getByRole('dialog').getByText('Debt recovered').first().waitFor();
	const entries = page.getByRole('region', { name: 'Ledger entries' });
	expect(await entries.getByRole('row').filter({ hasText: 'Debt recovered' }).textContent()).toContain('$20.00');
	expect(complaints).toEqual([]);
});

test('several commissions are approved, paid and marked as sent by keyboard alone', async () => {
	const funnel = await world.funnel({ commission: HELD });
	await earn(funnel, 'keys', 3);
	const page = await signIn(visitor, funnel, 'commissions?status=pending');
	await tabTo(page, page.getByRole('row', { name: 'keys-3' }));
	await page.keyboard.press('Control+a');
	await page.getByText('3 commissions, $60.00', { exact: true }).waitFor();
	await tabTo(page, page.getByRole('button', { name: 'Approve' }), 'Shift+Tab');
	await page.keyboard.press('Enter');
	await page.getByRole('alertdialog', { name: 'Approve 3 commissions, $60.00?' }).waitFor();
	await page.keyboard.press('Enter');
	await page.getByText('Approved: 3 commissions').waitFor();
	expect(await statuses(funnel)).toEqual(['approved', 'approved', 'approved']);
	await tabTo(page, page.getByRole('link', { name: 'Payouts', exact: true }));
	await page.keyboard.press('Enter');
	await page.getByText('1 payout ready: $60.00').waitFor();
	await tabTo(page, page.getByRole('button', { name: 'Create payouts' }));
	await page.keyboard.press('Enter');
	await page.getByRole('alertdialog', { name: 'Create 1 payout of $60.00?' }).waitFor();
	await page.keyboard.press('Enter');
	await page.getByText('Created: 1 payout of $60.00').waitFor();
	await tabTo(page, page.getByRole('link', { name: 'Send them' }), 'Shift+Tab');
	await page.keyboard.press('Enter');
	// The list of due payouts shows a row like this too, until the next page is loaded.
	await tabTo(page, page.getByRole('grid', { name: 'Payouts to send' }).getByRole('row').filter({ hasText: '$60.00' }));
	await page.keyboard.press('Space');
	await tabTo(page, page.getByRole('button', { name: 'Mark as sent' }), 'Shift+Tab');
	await page.keyboard.press('Enter');
	await page.getByRole('dialog').waitFor();
	await page.keyboard.type('transfer 18');
	await page.keyboard.press('Enter');
	await page.getByText('Marked as sent: 1 payout').waitFor();
	expect(await world.service.rows('SELECT sent_reference FROM payouts WHERE program_id = ?', funnel.programId)).toEqual([
		{ sent_reference: 'transfer 18' },
	]);
});

describe('an approval without a good answer', () => {
	test('after a fault says so, and is sent once', async () => {
		const funnel = await world.funnel({ commission: HELD });
		await earn(funnel, 'fault', 2);
		const page = await signIn(visitor, funnel, 'commissions?status=pending');
		const sent = approvalsOf(page);
		await page.route('**/commissions/approve', (route) => route.fulfill({ status: 500, json: { error: 'Internal server error' } }));
		await choosePage(page);
		await confirm(page, 'Approve');
		await page.getByText('No answer. Check whether it was done before you try again').waitFor();
		await page.getByText('Internal server error').waitFor();
		await page.getByRole('row', { name: 'fault-2' }).waitFor();
		expect([sent.length, await statuses(funnel)]).toEqual([1, ['pending', 'pending']]);
	});

	test("while offline says so, and is not sent later without the user's knowledge", async () => {
		const funnel = await world.funnel({ commission: HELD });
		await earn(funnel, 'offline', 2);
		const page = await signIn(visitor, funnel, 'commissions?status=pending');
		await choosePage(page);
		await visitor.setOffline(true);
		await page.getByText('You are offline. This page may be out of date').waitFor();
		await confirm(page, 'Approve');
		await page.getByText('You are offline.', { exact: true }).waitFor();
		await page.getByRole('row', { name: 'offline-2' }).waitFor();
		const sent = approvalsOf(page);
		await visitor.setOffline(false);
		await expect.poll(() => page.getByText('This page may be out of date').count()).toBe(0);
		expect([sent, await statuses(funnel)]).toEqual([[], ['pending', 'pending']]);
		// If the user sends it again, it takes effect once.
		await confirm(page, 'Approve');
		await page.getByText('Approved: 2 commissions').waitFor();
		expect([await audited(funnel, 'commission.approve'), await statuses(funnel)]).toEqual([1, ['approved', 'approved']]);
	});

	test('whose answer was lost shows in the list that it was done', async () => {
		const funnel = await world.funnel({ commission: HELD });
		await earn(funnel, 'lost', 2);
		const page = await signIn(visitor, funnel, 'commissions?status=pending');
		const sent = approvalsOf(page);
		await page.route('**/commissions/approve', async (route) => {
			const request = route.request();
			const headers = new Headers(await request.allHeaders());
			await world.service.fetch(request.url(), { method: 'POST', headers, body: request.postData() ?? undefined });
			await route.abort();
		});
		await choosePage(page);
		await confirm(page, 'Approve');
		await page.getByText('The service cannot be reached.').waitFor();
		await page.getByText('There are no commissions that are on hold').waitFor();
		expect([sent.length, await audited(funnel, 'commission.approve')]).toEqual([1, 1]);
	});
});

describe('two tabs', () => {
	test('decide the same commissions: the second one gets an error and the new list', async () => {
		const funnel = await world.funnel({ commission: HELD });
		await earn(funnel, 'tabs', 2);
		const first = await signIn(visitor, funnel, 'commissions?status=pending');
		const second = await openTab(visitor, funnel, 'commissions?status=pending');
		for (const page of [first, second]) await choosePage(page);
		await second.getByRole('button', { name: 'Approve' }).click();
		await first.getByRole('button', { name: 'Reject' }).click();
		await first.getByLabel('Reason').fill('Bought it themselves');
		await first.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
		await first.getByText('Rejected: 2 commissions').waitFor();
		await second.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
		await second.getByText(/^Commission \d+ is rejected: only pending commissions can be approved$/).waitFor();
		await second.getByText('There are no commissions that are on hold').waitFor();
		expect([await statuses(funnel), await audited(funnel, 'commission.approve')]).toEqual([['rejected', 'rejected'], 0]);
	});

	test('decide at the same time: it is done once', async () => {
		const funnel = await world.funnel({ commission: HELD });
		await earn(funnel, 'race', 2);
		const pages = [
			await signIn(visitor, funnel, 'commissions?status=pending'),
			await openTab(visitor, funnel, 'commissions?status=pending'),
		];
		for (const page of pages) {
			await choosePage(page);
			await page.getByRole('button', { name: 'Approve' }).click();
		}
		await Promise.all(pages.map((page) => page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()));
		for (const page of pages) await page.getByText('There are no commissions that are on hold').waitFor();
		const told = await Promise.all(pages.map((page) => page.getByText('Nothing was changed').count()));
		expect([told.toSorted(), await audited(funnel, 'commission.approve')]).toEqual([[0, 1], 1]);
	});
});

test('selecting everything means what was seen: a different number is refused, and newer commissions are left out', async () => {
	const funnel = await world.funnel({ commission: HELD });
	await earn(funnel, 'all', 52);
	const page = await signIn(visitor, funnel, 'commissions?status=pending');
	const other = await openTab(visitor, funnel, 'commissions?status=pending&search=all-7');
	await choosePage(page);
	await page.getByRole('button', { name: 'Select all 52 commissions that match' }).click();
	await page.getByText('All 52 commissions that match, $1,040.00').waitFor();
	await page.getByRole('button', { name: 'Approve' }).click();
	await choosePage(other);
	await confirm(other, 'Approve');
	await other.getByText('Approved: 1 commission').waitFor();
	await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
	await page.getByText('51 commissions match and can be approved, not 52. Reload and try again').waitFor();
	await page.getByRole('link', { name: /^On hold\s*\$1,020\.00\s*51$/ }).waitFor();
	await choosePage(page);
	await page.getByRole('button', { name: 'Select all 51 commissions that match' }).click();
	await page.getByText('All 51 commissions that match, $1,020.00').waitFor();
	await sell(world, funnel, { transaction_id: 'all-later', amount_cents: 10_000 });
	await confirm(page, 'Approve');
	await page.getByText('Approved: 51 commissions').waitFor();
	await page.getByRole('row', { name: 'all-later' }).waitFor();
	expect((await statuses(funnel)).filter((status) => status === 'pending')).toHaveLength(1);
});
