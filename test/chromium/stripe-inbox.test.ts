import { afterAll, beforeAll, expect, test } from 'vitest';
import { signed, signingSecret } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { complaintsOf, type Funnel, SERVICE, World } from './support/world.ts';

let world: World;
let program: Funnel;
beforeAll(async () => {
	world = await World.open();
	program = await world.funnel({});
});
afterAll(() => world.close());

async function deliver(event: unknown, secret: string): Promise<number> {
	const { body, header } = signed(event, secret, Date.now());
	const address = `${world.service.url}/webhooks/stripe/${program.programId}`;
	const response = await fetch(address, { method: 'POST', headers: { 'Stripe-Signature': header }, body });
	await response.body?.cancel();
	return response.status;
}

test('Stripe is connected, a refused event says why, and is processed again', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	const settings = `${SERVICE}/dashboard/programs/${program.programId}/settings`;
	const [secret, rolled] = [signingSecret(), signingSecret()];

	// The URL from when Stripe was the only processor.
	await page.goto(`${settings}/stripe`);
	await page.waitForURL(`${settings}/payments/stripe`);
	await page.getByText(`${SERVICE}/webhooks/stripe/${program.programId}`).waitFor();
	await page.getByRole('textbox', { name: 'Signing secret', exact: true }).fill('not a secret');
	await page.getByRole('button', { name: 'Connect', exact: true }).click();
	await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/^Nothing was changed\. .*whsec_/);
	await page.getByRole('textbox', { name: 'Signing secret', exact: true }).fill(`${secret}\n${rolled}`);
	await page.getByRole('button', { name: 'Connect', exact: true }).click();
	await page.getByText('Stripe is connected', { exact: true }).waitFor();
	for (const one of [secret, rolled]) await page.getByText(`whsec_...${one.slice(-4)}`).waitFor();

	const event = stripeStory({ metadata: { tracker_customer_key: 'user-1', program_id: '1000000' } }).checkout.completed();
	expect(await deliver(event, rolled)).toBe(200);
	await expect
		.poll(() => world.service.rows('SELECT state FROM processor_events WHERE program_id = ?', program.programId))
		.toEqual([{ state: 'refused' }]);

	await page.reload();
	await page.getByRole('link', { name: '1 event refused' }).click();
	await page.waitForURL(`${settings}/payment-events?processor=stripe&state=refused`);
	await page.getByRole('row').filter({ hasText: 'checkout.session.completed' }).click();
	const panel = page.getByRole('dialog');
	await panel
		.getByText(/1000000/)
		.first()
		.waitFor();
	await panel.getByText(event.id).first().waitFor();
	await panel.getByRole('button', { name: 'Replay' }).click();
	await page.getByText('It was processed again: refused', { exact: true }).waitFor();
	await page.keyboard.press('Escape');
	await expect.poll(() => page.url()).toBe(`${settings}/payment-events?processor=stripe&state=refused`);

	await page.getByRole('button', { name: 'Replay several' }).click();
	await panel.getByRole('button', { name: 'Replay them' }).click();
	await page.getByText(/^1 event processed again$/).waitFor();

	// Links in earlier lists and emails still work too.
	await page.goto(`${settings}/stripe-events?state=applied`);
	await page.waitForURL(`${settings}/payment-events?state=applied&processor=stripe`);
	await page.getByText('No events match', { exact: true }).waitFor();
	expect(complaints).toEqual([]);
});
