import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hurdlesOn } from './support/axe.ts';
import { addressOf } from './support/pages.ts';
import { complaintsOf, type Funnel, World } from './support/world.ts';

// A partner sets up a postback, and the program sees it.

let world: World;
let funnel: Funnel;
beforeAll(async () => {
	world = await World.open();
	funnel = await world.funnel({});
});
afterAll(() => world.close());

/** A partner's system on this machine. */
async function openTracker() {
	const asked: string[] = [];
	const server = createServer(({ method, url }, response) => {
		asked.push(`${method} ${url}`);
		response.end('fine');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The tracker has no port');
	return { asked, url: `http://127.0.0.1:${address.port}/in`, stop: () => server.close() };
}

test('a partner sets up a postback; the program sees it, and switches it off and on', async () => {
	const tracker = await openTracker();
	const pats = await (await world.partnersBrowser(funnel)).newPage();
	const owners = await (await world.ownersBrowser()).newPage();
	const complaints = [complaintsOf(pats), complaintsOf(owners)];
	try {
		await owners.goto(addressOf(funnel, 'dashboard', '/programs/$programId/partners/$partnerId'));
		await owners.getByRole('heading', { name: 'Newest commissions', exact: true }).waitFor();
		expect(await owners.getByRole('heading', { name: 'Postback', exact: true }).count()).toBe(0);

		await pats.goto(addressOf(funnel, 'portal', '/programs/$membershipId/postback'));
		await pats.getByLabel('Address to call', { exact: true }).fill('https://tracker.example/in?what={what}');
		await pats.getByRole('button', { name: 'Save', exact: true }).click();
		await pats.getByText(/has the unknown placeholder \{what\}/).waitFor();
		await pats.getByLabel('Address to call', { exact: true }).fill(`${tracker.url}?what={event}&for={sub_id}`);
		await pats.getByRole('button', { name: 'Save', exact: true }).click();
		await pats.getByRole('button', { name: 'Send a test', exact: true }).click();
		await pats.getByRole('row').filter({ hasText: 'Delivered' }).filter({ hasText: 'Test' }).waitFor();
		expect(tracker.asked).toEqual(['GET /in?what=lead&for=test']);

		await owners.reload();
		const main = owners.getByRole('main');
		await main.getByText(`${tracker.url}?what={event}&for={sub_id}`, { exact: true }).waitFor();
		await main.getByRole('row').filter({ hasText: 'Delivered' }).filter({ hasText: 'what=lead&for=test' }).waitFor();
		await main.getByText('Signup, Sale, Deduction', { exact: true }).waitFor();
		expect(await hurdlesOn(owners)).toEqual([]);
		await main.getByRole('button', { name: 'Switch off', exact: true }).click();
		const sure = owners.getByRole('alertdialog', { name: 'Switch off the postback of pat?', exact: true });
		await sure.getByRole('button', { name: 'Switch off', exact: true }).click();
		await main.getByText('Off: switched off by the program', { exact: true }).waitFor();

		await pats.reload();
		await pats.getByText(/^The program has switched it off\. Ask the program for the reason\./).waitFor();
		expect(await pats.getByRole('button', { name: 'Switch on again', exact: true }).count()).toBe(0);
		expect(await hurdlesOn(pats)).toEqual([]);

		await main.getByRole('button', { name: 'Switch on', exact: true }).click();
		await main.getByRole('button', { name: 'Switch off', exact: true }).waitFor();
		await pats.reload();
		await pats.getByRole('button', { name: 'Send a test', exact: true }).waitFor();
		expect(complaints).toEqual([[], []]);
	} finally {
		tracker.stop();
	}
});
