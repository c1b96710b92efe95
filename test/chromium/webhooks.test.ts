import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { openReceiver } from './support/receiver.ts';
import { complaintsOf, type Funnel, SERVICE, World } from './support/world.ts';

let world: World;
let program: Funnel;
beforeAll(async () => {
	world = await World.open();
	program = await world.funnel({});
});
afterAll(() => world.close());

const webhooks = () => `${SERVICE}/dashboard/programs/${program.programId}/settings/webhooks`;

/** The dialog shows the secret once, and is closed. */
async function secretIn(dialog: Locator): Promise<string> {
	await dialog.getByText('Copy it now.', { exact: true }).waitFor();
	const secret = (await dialog.locator('code').textContent()) ?? '';
	await dialog.getByRole('button', { name: 'Done', exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
	return secret;
}

test('a webhook is added for some events, changed, disabled, enabled and deleted', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const main = page.getByRole('main');
	const dialog = page.getByRole('dialog');
	const stored = () =>
		world.service.rows<{ url: string; types: string; gone: number }>(
			'SELECT url, types, deleted_at IS NOT NULL AS gone FROM webhook_endpoints WHERE program_id = ? ORDER BY id DESC LIMIT 1',
			program.programId,
		);

	await page.goto(webhooks());
	await main.getByText('No webhooks yet', { exact: true }).waitFor();
	await main.getByRole('button', { name: 'Add a webhook', exact: true }).click();
	await dialog.getByLabel('Address', { exact: true }).fill('https://10.0.0.1:8443/in');
	await dialog.getByLabel('Description', { exact: true }).fill('The books');
	const tick = (name: string) => dialog.getByRole('checkbox', { name, exact: true });
	const label = (name: string) => dialog.locator('label').filter({ has: page.getByText(name, { exact: true }) });
	await label('All events').click();
	await expect.poll(() => dialog.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
	await label('Payouts').click();
	await label('payout.failed').click();
	await label('sale.created').click();
	await expect.poll(() => tick('Sales').isChecked()).toBe(true);
	expect(await label('Payouts').getAttribute('data-indeterminate')).toBe('true');
	expect(await hurdlesOn(page)).toEqual([]);
	await dialog.getByRole('button', { name: 'Add', exact: true }).click();
	expect(await secretIn(dialog)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

	await page.getByRole('heading', { name: 'The books', exact: true }).waitFor();
	await main.getByText('Nothing has been sent yet', { exact: true }).waitFor();
	expect(await stored()).toEqual([{ url: 'https://10.0.0.1:8443/in', types: '["sale.created","payout.created","payout.sent"]', gone: 0 }]);

	await main.getByRole('button', { name: 'Edit', exact: true }).click();
	await dialog.getByLabel('Address', { exact: true }).fill('https://hooks.shop.example/in');
	await dialog.getByLabel('Description', { exact: true }).clear();
	await label('All events').click();
	await dialog.getByRole('button', { name: 'Save', exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
	await page.getByRole('heading', { name: 'hooks.shop.example', exact: true }).waitFor();
	await main.getByText('https://hooks.shop.example/in', { exact: true }).waitFor();

	await main.getByRole('button', { name: 'Disable', exact: true }).click();
	let asked = page.getByRole('alertdialog', { name: 'Disable hooks.shop.example?', exact: true });
	await asked.getByText(/^Nothing is sent while the webhook is disabled\./).waitFor();
	await asked.getByRole('button', { name: 'Disable', exact: true }).click();
	await asked.waitFor({ state: 'detached' });
	await main.getByText(/^Disabled since /).waitFor();
	expect(await main.getByRole('button', { name: 'Send a test event', exact: true }).count()).toBe(0);
	await main.getByRole('button', { name: 'Enable', exact: true }).click();
	await main.getByRole('button', { name: 'Disable', exact: true }).waitFor();

	await main.getByRole('button', { name: 'Delete', exact: true }).click();
	asked = page.getByRole('alertdialog', { name: 'Delete hooks.shop.example?', exact: true });
	await asked.getByText(/^Nothing more will be sent to it/).waitFor();
	await asked.getByRole('button', { name: 'Delete', exact: true }).click();
	await page.waitForURL(webhooks());
	await main.getByText('No webhooks yet', { exact: true }).waitFor();
	expect(await stored()).toEqual([
		{ url: 'https://hooks.shop.example/in', types: expect.stringMatching(/^(\[|,?"[a-z.]+"){14,}\]$/), gone: 1 },
	]);
	expect(complaints).toEqual([]);
});

test('a secret is rotated, and the previous one remains valid as long as requested', async () => {
	const webhook = await world.manage(program, '/webhooks', { url: 'https://hooks.shop.example/rolled' });
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const main = page.getByRole('main');
	const dialog = page.getByRole('dialog');

	await page.goto(`${webhooks()}/${String(webhook['id'])}`);
	await main.getByRole('button', { name: 'Roll the secret', exact: true }).click();
	await dialog.getByText(/^You will see the new secret only once\./).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await dialog.getByRole('button', { name: 'Create', exact: true }).click();
	await dialog.getByText(/^Requests are also signed with the previous secret until /).waitFor();
	const second = await secretIn(dialog);
	expect(second).not.toBe(webhook['secret']);
	await main.getByText(/^Requests are also signed with the previous secret until /).waitFor();

	await main.getByRole('button', { name: 'Roll the secret', exact: true }).click();
	await dialog.getByText(/^The secret from an earlier roll that is still in use stops immediately/).waitFor();
	await dialog.getByRole('button', { name: /How long the previous secret remains in use/ }).click();
	await page.getByRole('option', { name: 'Not at all', exact: true }).click();
	await dialog.getByRole('button', { name: 'Create', exact: true }).click();
	await dialog.getByText('The previous secret is no longer used.', { exact: true }).waitFor();
	expect(await secretIn(dialog)).not.toBe(second);
	await expect.poll(() => main.getByText(/^Requests are also signed with the previous secret until /).count()).toBe(0);
	expect(complaints).toEqual([]);
});

test('a test event appears at its receiver and here, and a refused delivery is sent again', async () => {
	const receiver = await openReceiver();
	const webhook = await world.manage(program, '/webhooks', { url: receiver.url, types: ['sale.created'], description: 'The books' });
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const main = page.getByRole('main');
	const dialog = page.getByRole('dialog');
	try {
		await page.goto(`${webhooks()}/${String(webhook['id'])}`);
		await main.getByText('Nothing has been sent yet', { exact: true }).waitFor();
		await main.getByRole('button', { name: 'Send a test event', exact: true }).click();
		await dialog.getByText(/^The test event is signed and logged like any other/).waitFor();
		await dialog.getByRole('button', { name: 'Send', exact: true }).click();
		await dialog.getByText(/ The receiver accepted it\.$/).waitFor();
		expect(receiver.received).toMatchObject([{ body: { type: 'sale.created', test: true }, signatures: [expect.stringMatching(/^v1,/)] }]);

		receiver.answer = { status: 500, headers: { 'Retry-After': '3600' }, body: 'Down for the night' };
		await world.manage(program, `/webhooks/${String(webhook['id'])}/test`, { type: 'payout.sent' });
		await expect.poll(() => failuresOf(webhook)).toBe(1);
		await page.goto(`${webhooks()}/${String(webhook['id'])}`);
		await main.getByText(/^Failing since /).waitFor();
		await main.getByRole('row').filter({ hasText: 'payout.sent' }).click();
		await dialog.getByText('500: The response status was not 2xx', { exact: true }).waitFor();
		await dialog.getByText('Down for the night', { exact: true }).waitFor();
		expect(await hurdlesOn(page)).toEqual([]);

		receiver.answer = { status: 204 };
		await dialog.getByRole('button', { name: 'Send now', exact: true }).click();
		await dialog.getByText(/ The receiver accepted it\.$/).waitFor();
		expect(receiver.received.map(({ id }) => id)).toEqual([expect.any(String), receiver.received[2]?.id, receiver.received[1]?.id]);
		expect(complaints).toEqual([]);
	} finally {
		await receiver.stop();
	}
});

test('the notification of a disabled webhook links to it, and it is enabled there', async () => {
	const receiver = await openReceiver();
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const main = page.getByRole('main');
	try {
		receiver.answer = { status: 410 };
		const webhook = await world.manage(program, '/webhooks', { url: receiver.url, description: 'The old books' });
		await world.manage(program, `/webhooks/${String(webhook['id'])}/test`, {});
		await expect.poll(() => world.service.rows("SELECT id FROM notifications WHERE kind = 'webhook_disabled'")).toHaveLength(1);

		await page.goto(`${SERVICE}/dashboard/notifications`);
		await main.getByRole('link', { name: 'The webhook', exact: true }).click();
		await page.getByRole('heading', { name: 'The old books', exact: true }).waitFor();
		await main.getByText(/^Disabled since /).waitFor();
		await main.getByText(/Its receiver answered 410/).waitFor();
		expect(await hurdlesOn(page)).toEqual([]);
		await main.getByRole('button', { name: 'Enable', exact: true }).click();
		await main.getByRole('button', { name: 'Send a test event', exact: true }).waitFor();
		expect(complaints).toEqual([]);
	} finally {
		await receiver.stop();
	}
});

async function failuresOf({ id }: Readonly<Record<string, unknown>>): Promise<number | undefined> {
	const [row] = await world.service.rows<{ failures: number }>('SELECT failures FROM webhook_endpoints WHERE id = ?', id);
	return row?.failures;
}
