import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedWebhook } from '../../testing/custom/sign.ts';
import { signingSecret as paddleSecret } from '../../testing/paddle/sign.ts';
import { signed, signingSecret } from '../../testing/stripe/sign.ts';
import { hurdlesOn } from './support/axe.ts';
import { complaintsOf, type Funnel, SERVICE, World } from './support/world.ts';

let world: World;
let program: Funnel;
beforeAll(async () => {
	world = await World.open();
	program = await world.funnel({});
});
afterAll(() => world.close());

test('a processor is found in the list, connected, and disconnected after a warning', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const payments = `${SERVICE}/dashboard/programs/${program.programId}/settings/payments`;
	const secret = signingSecret();
	const row = page.getByRole('row').filter({ hasText: 'Stripe' });

	await page.goto(payments);
	await row.getByText('Not connected', { exact: true }).waitFor();
	await row.getByRole('link', { name: 'Stripe', exact: true }).click();
	await page.waitForURL(`${payments}/stripe`);
	await page.getByRole('heading', { name: 'Stripe', exact: true }).waitFor();
	await page.getByRole('textbox', { name: 'Signing secret', exact: true }).fill(secret);
	await page.getByRole('button', { name: 'Connect', exact: true }).click();
	await page.getByText(`whsec_...${secret.slice(-4)}`, { exact: true }).waitFor();

	await page.getByRole('link', { name: 'All processors', exact: true }).click();
	await page.waitForURL(payments);
	await row.getByText('Connected', { exact: true }).waitFor();
	await row.getByText('None yet', { exact: true }).waitFor();

	await page.goto(`${payments}/stripe`);
	await page.getByRole('main').getByRole('button', { name: 'Disconnect', exact: true }).click();
	const asked = page.getByRole('alertdialog');
	await asked.getByText(/^Its signing secrets are deleted/).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await asked.getByRole('button', { name: 'Disconnect', exact: true }).click();
	await asked.waitFor({ state: 'detached' });
	await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
	await expect
		.poll(() => world.service.rows('SELECT count(*) AS left FROM processor_endpoints WHERE program_id = ?', program.programId))
		.toEqual([{ left: 0 }]);
	expect(complaints).toEqual([]);
});

async function deliver(secret: string): Promise<number> {
	const event = { type: 'signup', timestamp: new Date().toISOString(), data: { customer_key: 'user-1' } };
	const { body, headers } = signedWebhook(event, secret, Date.now());
	const response = await fetch(`${world.service.url}/webhooks/custom/${program.programId}`, { method: 'POST', headers, body });
	await response.body?.cancel();
	return response.status;
}

test('a created signing secret is shown once, and remains valid beside its successor', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const settings = `${SERVICE}/dashboard/programs/${program.programId}/settings`;
	const dialog = page.getByRole('dialog');
	const make = async (opener: string) => {
		await page.getByRole('main').getByRole('button', { name: opener, exact: true }).click();
		await dialog.getByRole('button', { name: 'Create', exact: true }).click();
		await dialog.getByText('Copy it now.', { exact: true }).waitFor();
		const secret = (await dialog.locator('code').textContent()) ?? '';
		await dialog.getByRole('button', { name: 'Done', exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
		await page.getByText(`whsec_...${secret.slice(-4)}`).waitFor();
		return secret;
	};

	await page.goto(`${settings}/payments/custom`);
	const first = await make('Create a signing secret');
	expect(await deliver(first)).toBe(200);
	const second = await make('Roll the secret');
	expect(second).not.toBe(first);
	await page.getByText(/^\(until /).waitFor();
	expect([await deliver(first), await deliver(second)]).toEqual([200, 200]);

	await page.goto(`${settings}/payment-events?processor=custom&type=signup`);
	await expect.poll(() => page.getByRole('row').filter({ hasText: 'signup' }).count()).toBe(3);
	expect(complaints).toEqual([]);
});

test('if events do not say whether they are tests, live and test mode have separate secrets', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const [ofTests, live] = [paddleSecret(), paddleSecret()];
	await page.goto(`${SERVICE}/dashboard/programs/${program.programId}/settings/payments/paddle`);
	await page.getByRole('button', { name: /Used for/ }).click();
	await page.getByRole('option', { name: 'Payments in test mode', exact: true }).click();
	await page.getByRole('textbox', { name: 'Signing secret', exact: true }).fill(ofTests);
	await page.getByRole('button', { name: 'Connect', exact: true }).click();
	const shown = (secret: string, mode: string) => page.getByText(`pdl_ntfset_...${secret.slice(-4)} (${mode})`, { exact: true });
	await shown(ofTests, 'test mode').waitFor();

	await page.getByText('Replace the secrets, or change the sale amount', { exact: true }).click();
	await page.getByRole('textbox', { name: 'Signing secret', exact: true }).fill(live);
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await shown(live, 'live').waitFor();
	await shown(ofTests, 'test mode').waitFor();
	expect(complaints).toEqual([]);
});

test("a wrong secret and a wrong clock are named on the processor's page and in the set-up", async () => {
	const { programId } = await world.funnel({});
	const secret = signingSecret();
	const send = async (signedBy: string, at: number) => {
		const { body, header } = signed({ id: 'evt_1', object: 'event' }, signedBy, at);
		const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': header };
		const response = await fetch(`${world.service.url}/webhooks/stripe/${programId}`, { method: 'POST', headers, body });
		await response.body?.cancel();
		expect(response.status).toBe(400);
	};
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/${programId}/settings/payments/stripe`);
	await page.getByRole('textbox', { name: 'Signing secret', exact: true }).fill(secret);
	await page.getByRole('button', { name: 'Connect', exact: true }).click();
	await page.getByText(`whsec_...${secret.slice(-4)}`, { exact: true }).waitFor();
	for (let time = 0; time < 3; time += 1) await send(signingSecret(), Date.now());
	await send(secret, Date.now() - 20 * 60_000);
	for (const path of ['settings/payments/stripe', 'setup']) {
		await page.goto(`${SERVICE}/dashboard/programs/${programId}/${path}`);
		await page.getByText(/^3 events from Stripe arrived with a signature that does not match, /).waitFor();
		await page.getByText(/Its timestamp was 20 minutes behind/).waitFor();
		expect(await page.getByText(/^No event has arrived from Stripe/).count()).toBe(0);
		expect(await hurdlesOn(page)).toEqual([]);
	}
	expect(complaints).toEqual([]);
});

test('the address of an unknown processor says so', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/${program.programId}/settings/payments/cash`);
	await page.getByText('There is no such processor', { exact: true }).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});
