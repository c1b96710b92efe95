import { afterAll, beforeAll, expect, test } from 'vitest';
import { signingSecret } from '../../testing/stripe/sign.ts';
import { hurdlesOn } from './support/axe.ts';
import { complaintsOf, type Funnel, SERVICE, World } from './support/world.ts';

// The settings of payment processors, whichever there are.

let world: World;
let program: Funnel;
beforeAll(async () => {
	world = await World.open();
	program = await world.funnel({});
});
afterAll(() => world.close());

test('a processor is found in the list, connected, and disconnected once it is said what that means', async () => {
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
	await asked.getByText(/^Its signing secrets are forgotten/).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	await asked.getByRole('button', { name: 'Disconnect', exact: true }).click();
	await asked.waitFor({ state: 'detached' });
	await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
	await expect
		.poll(() => world.service.rows('SELECT count(*) AS left FROM processor_endpoints WHERE program_id = ?', program.programId))
		.toEqual([{ left: 0 }]);
	expect(complaints).toEqual([]);
});

test('an address of a processor that is none says so', async () => {
	const page = await (await world.ownersBrowser()).newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${SERVICE}/dashboard/programs/${program.programId}/settings/payments/cash`);
	await page.getByText('There is no such processor', { exact: true }).waitFor();
	expect(await hurdlesOn(page)).toEqual([]);
	expect(complaints).toEqual([]);
});
