import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clickIdFrom } from '../../src/sdk/index.ts';
import { freePort } from '../../testing/free-port.ts';
import { callOn, clickIdOn, pageWith, World } from './support/world.ts';

// From a partner's link to the commission. The pages use the script; the backends use the SDK.

const SHOP = 'https://shop.example.co.uk';

let world: World;
beforeAll(async () => {
	world = await World.open();
	world.shop('shop.example.co.uk', { pages: { '/': pageWith(), '/account': pageWith() } });
});
afterAll(() => world.close());

async function balanceOf({ partnerProgramId }: { partnerProgramId: number }): Promise<number> {
	const [row] = await world.service.rows<{ balance_cents: number }>(
		'SELECT balance_cents FROM partner_program_balances WHERE partner_program_id = ?',
		partnerProgramId,
	);
	return row?.balance_cents ?? 0;
}

describe('a visit, a lead from the page, a sale from the backend', () => {
	test('by the customer key from the page', async () => {
		const funnel = await world.funnel({ allowed_origins: [SHOP] });
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		expect(await callOn(page, 'lead', { customer_key: 'user-1', email: 'ada@example.org' })).toMatchObject({ success: true });
		const sale = await world.backend(funnel).sale({ transaction_id: 'browser-1', amount_cents: 9_900, customer_key: 'user-1' });
		expect(sale).toMatchObject({ recorded: true, duplicate: false, commission_id: expect.any(Number) });
		expect(await balanceOf(funnel)).toBe(1_980);
	});

	test('by the click id in the cookie that reaches the backend', async () => {
		const funnel = await world.funnel({ allowed_origins: [SHOP] });
		const visitor = await world.visitor();
		const page = await visitor.newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		await page.goto(`${SHOP}/account`);
		const request = world.network.seen.findLast(({ url }) => url.href === `${SHOP}/account`);
		const click_id = clickIdFrom(request);
		expect(click_id).toBe(clickId);
		const backend = world.backend(funnel);
		expect(await backend.lead({ click_id, customer_key: 'user-2' })).toMatchObject({ recorded: true });
		const sale = { transaction_id: 'browser-2', amount_cents: 5_000, customer_key: 'user-2' };
		expect(await backend.sale(sale)).toMatchObject({ recorded: true, duplicate: false });
		expect(await backend.sale(sale)).toMatchObject({ recorded: true, duplicate: true });
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test('a lead without a click is not sent, because it has no partner', async () => {
		const page = await (await world.visitor()).newPage();
		const since = world.network.seen.length;
		await page.goto(SHOP);
		expect([await callOn(page, 'lead', { customer_key: 'user-3' }), world.calls('lead', since)]).toEqual([undefined, []]);
	});

	test("a lead from a page always has the page's own click id, and returns the service's answer", async () => {
		const funnel = await world.funnel({ allowed_origins: [SHOP], server_leads_only: true });
		const page = await (await world.visitor()).newPage();
		await page.goto(`${SHOP}/?aff=${funnel.pat}`);
		const clickId = await clickIdOn(page);
		const since = world.network.seen.length;
		expect(await callOn(page, 'lead', { click_id: 'cust_1_1', customer_key: 'user-4' })).toEqual({ error: expect.any(String) });
		expect(JSON.parse(world.calls('lead', since)[0]?.body ?? '')).toEqual({ click_id: clickId, customer_key: 'user-4' });
	});
});

describe('the example shop', () => {
	const running: ChildProcess[] = [];
	afterAll(() => running.map((child) => child.kill()));

	/** Starts the example as `npm run example` does. Returns a function that reads its output so far. */
	function openExample(port: number, key: string, partner: string): () => string {
		const server = join(import.meta.dirname, '../../examples/shop/server.ts');
		const env = { ...process.env, TRACKER_URL: world.service.url, TRACKER_KEY: key, TRACKER_PARTNER: partner, PORT: String(port) };
		const child = spawn(process.execPath, [server], { env, stdio: ['ignore', 'pipe', 'inherit'] });
		running.push(child);
		let text = '';
		child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
		return () => text;
	}

	test('shows a visit, a sign-up and a purchase, and what the partner earned', async () => {
		const port = await freePort();
		const shop = `http://localhost:${port}`;
		const funnel = await world.funnel({ allowed_origins: [shop] }, `${shop}/`);
		const output = openExample(port, funnel.apiToken, funnel.pat);
		await expect.poll(output).toContain('The shop is open');
		const page = await (await world.visitor()).newPage();
		await page.goto(`${world.service.url}/r/${funnel.pat}`);
		await expect.poll(() => page.textContent('#visit')).toMatch(/^A partner brought you here. Your click is cust_/);
		await page.click('button');
		await page.waitForURL(/account/);
		await page.click('button');
		await page.waitForURL(/thanks/);
		for (const sign of [
			'arrives through the link of',
			'with the click cust_',
			'"message":"Lead recorded"',
			'The partner has earned commission',
		]) {
			expect(output()).toContain(sign);
		}
		expect(await balanceOf(funnel)).toBe(980);
	});
});
