import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { refusing } from '../../testing/d1/failing.ts';
import { MINUTE_MS } from '../../src/domain/calendar.ts';
import { readStatus } from '../../src/reporting/read-status.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { contextAt, daysAgo } from '../support/clock.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver, tick } from '../support/deliver.ts';
import { aClick, aFunnel, aLead, aSale, type Funnel, rows, sharedOwner, track } from '../support/funnel.ts';
import { api, aProgram, unique } from '../support/world.ts';

interface Status {
	readonly success: true;
	readonly recent_events: { readonly clicks_24h: number; readonly leads_24h: number; readonly sales_24h: number };
	readonly last_event_at: { readonly click: string | null; readonly lead: string | null; readonly sale: string | null };
	readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly next_action: string | null }[];
	readonly [field: string]: unknown;
}

async function statusOf({ apiToken }: { readonly apiToken: string }): Promise<Status> {
	const { status, text } = await api('/api/v1/cli/status', { token: apiToken });
	expect(status, text).toBe(200);
	const body: Status = JSON.parse(text);
	return body;
}

/** Null if the check is satisfied. */
async function actionOf(program: { readonly apiToken: string }, name: string): Promise<string | null> {
	const found = (await statusOf(program)).checks.find((check) => check.name === name);
	if (!found) throw new Error(`There is no check ${name}`);
	expect(found.ok).toBe(found.next_action === null);
	return found.next_action;
}

test('a new program gets advice step by step', async () => {
	const owner = await sharedOwner();
	const name = unique('Shop');
	const program = await aProgram(owner, { name });
	await tick();
	const path = `/api/v1/programs/${program.id}`;
	expect(await statusOf(program)).toEqual({
		success: true,
		program_id: program.id,
		name,
		domain: null,
		recent_events: { clicks_24h: 0, leads_24h: 0, sales_24h: 0 },
		active_partners: 0,
		pending_commissions: 0,
		last_event_at: { click: null, lead: null, sale: null },
		stripe_connected: false,
		allowed_origins: [],
		refused_origins: [],
		checks: [
			{ name: 'partner_link', ok: false, next_action: expect.stringContaining(`POST ${path}/partners`) },
			{ name: 'commission_rule', ok: false, next_action: expect.stringContaining(`POST ${path}/commission-rules`) },
			{ name: 'allowed_origins', ok: false, next_action: expect.stringContaining(`PATCH ${path} {"allowed_origins"`) },
			{ name: 'origins_accepted', ok: true, next_action: null },
			{ name: 'click_received', ok: false, next_action: expect.stringContaining('POST /api/v1/track/click') },
			{ name: 'lead_received', ok: false, next_action: expect.stringContaining('POST /api/v1/track/lead') },
			{ name: 'sale_received', ok: false, next_action: expect.stringContaining('POST /api/v1/track/sale') },
			{ name: 'last_sale_accepted', ok: true, next_action: null },
			{ name: 'page_leads_credited', ok: true, next_action: null },
			{ name: 'fields_known', ok: true, next_action: null },
			{ name: 'dead_letters', ok: true, next_action: null },
			{ name: 'effects_delivered', ok: true, next_action: null },
			{ name: 'cron_running', ok: true, next_action: null },
			{ name: 'stripe_connected', ok: false, next_action: expect.stringContaining(`PUT ${path}/stripe {"webhook_secret"`) },
		],
	});
});

test('a running program has its metrics and only optional advice', async () => {
	const funnel = await aFunnel({ domain: 'shop.example', commission: { type: 'percent', percent: 20, hold_days: 30 } });
	await aSale(funnel);
	await tick();
	await expect
		.poll(async () => (await statusOf(funnel)).recent_events, { timeout: 300_000 })
		.toEqual({ clicks_24h: 1, leads_24h: 1, sales_24h: 1 });
	const status = await statusOf(funnel);
	const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
	expect(status).toMatchObject({
		domain: 'shop.example',
		active_partners: 1,
		pending_commissions: 1,
		last_event_at: { click: instant, lead: instant, sale: instant },
		allowed_origins: ['https://shop.example', 'https://www.shop.example'],
	});
	expect(status.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['stripe_connected']);
});

test('test events, crawlers and events older than a day are not recent events', async () => {
	const funnel = await aFunnel();
	const tested = { additional_data: { test_mode: true } };
	await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, ...tested });
	await track('lead', { customer_key: 'tester', ...tested }, funnel.apiToken);
	await track('sale', tested, funnel.apiToken);
	expect(await actionOf(funnel, 'click_received')).toMatch(/^No click has arrived yet/);
	const bot = await track('click', {
		affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`,
		user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)',
	});
	await expect
		.poll(() => rows('SELECT id FROM affiliate_click_events WHERE click_id = ?', bot.body['click_id']), { timeout: 300_000 })
		.toHaveLength(1);
	expect(await statusOf(funnel)).toMatchObject({
		recent_events: { clicks_24h: 0, leads_24h: 0, sales_24h: 0 },
		last_event_at: { click: null, lead: null, sale: null },
	});
	expect(await actionOf(funnel, 'click_received')).toMatch(/^Only clicks from crawlers and headless browsers have arrived/);
	await aLead(funnel);
	const tomorrow = await readStatus(contextAt(daysAgo(-1)), funnel.id);
	expect([tomorrow.leads24h, tomorrow.lastLeadAt]).toEqual([0, expect.any(Number)]);
});

describe('the last refused sale', () => {
	let funnel: Funnel;
	beforeAll(async () => {
		funnel = await aFunnel();
	});

	test('is shown with its reason until a sale is recorded', async () => {
		const transactionId = unique('txn');
		expect((await track('sale', { transaction_id: transactionId, amount_cents: 0 }, funnel.apiToken)).status).toBe(400);
		await expect
			.poll(() => actionOf(funnel, 'last_sale_accepted'))
			.toMatch(
				new RegExp(
					`^The last sale with transaction_id ${transactionId} was refused on .* UTC: amount_cents is required and must be a positive integer\\. Correct`,
				),
			);
		await track('sale', { transaction_id: transactionId, amount_cents: 5, customer_key: 'nobody' }, funnel.apiToken);
		await expect.poll(() => actionOf(funnel, 'last_sale_accepted')).toContain('Customer not found. Provide customer_key or click_id');
		await track('sale', { amount_cents: 5 }, funnel.apiToken);
		await expect.poll(() => actionOf(funnel, 'last_sale_accepted')).toContain('transaction_id is required');
		await aSale(funnel);
		expect(await actionOf(funnel, 'last_sale_accepted')).toBeNull();
	});

	test('is not one that was already recorded', async () => {
		const again = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel) };
		await aSale(funnel, again);
		expect((await track('sale', again, funnel.apiToken)).status).toBe(409);
		expect(await actionOf(funnel, 'last_sale_accepted')).toBeNull();
	});

	test('is not one without a partner, because reporting every sale is correct', async () => {
		const place = await aFunnel();
		const customerKey = unique('customer');
		await track('lead', { customer_key: customerKey }, place.apiToken);
		const sale = { transaction_id: unique('txn'), amount_cents: 9_900, customer_key: customerKey };
		const refused = await track('sale', sale, place.apiToken);
		expect([refused.status, refused.body]).toEqual([400, { error: 'partnerId required to create commission' }]);
		await expect.poll(() => rows('SELECT code FROM refusals WHERE program_id = ?', place.id)).toEqual([{ code: 'customer_unattributed' }]);
		expect(await actionOf(place, 'last_sale_accepted')).toBeNull();
	});

	test('is not one in test mode or with an unknown key', async () => {
		const place = await aFunnel();
		await track('sale', { amount_cents: -1, additional_data: { test_mode: true } }, place.apiToken);
		await track('sale', { amount_cents: -1 }, 'no-such-key');
		expect(await rows('SELECT * FROM refusals WHERE program_id = ?', place.id)).toEqual([]);
	});

	test('never changes the answer, even if it cannot be stored', async () => {
		const place = await aFunnel();
		const refused = await trackWith(
			{ DB: refusing(env.DB, 'refusals') },
			'sale',
			{ transaction_id: unique('txn') },
			bearer(place.apiToken),
		);
		expect([refused.status, refused.body]).toEqual([400, { error: 'amount_cents is required and must be a positive integer' }]);
		expect(await actionOf(place, 'last_sale_accepted')).toBeNull();
	});
});

test('dead letters are reported until they are replayed', async () => {
	const funnel = await aFunnel();
	const CLICKS = holdingQueue();
	await trackWith({ CLICKS }, 'click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
	await deliver('affiliate-dead-letters', [{ body: CLICKS.held[0] }]);
	expect(await actionOf(funnel, 'dead_letters')).toMatch(/^1 message could not be delivered/);
	await env.DB.prepare('UPDATE dead_letters SET replayed_at = 1 WHERE program_id = ?').bind(funnel.id).run();
	expect(await actionOf(funnel, 'dead_letters')).toBeNull();
});

test('work that waits longer than five minutes is reported', async () => {
	const funnel = await aFunnel();
	const EFFECTS = holdingQueue();
	await trackWith(
		{ EFFECTS },
		'sale',
		{ transaction_id: unique('txn'), amount_cents: 1, click_id: await aClick(funnel) },
		bearer(funnel.apiToken),
	);
	expect(await actionOf(funnel, 'effects_delivered')).toBeNull();
	const later = await readStatus(contextAt(Date.now() + 6 * MINUTE_MS), funnel.id);
	const check = later.checks.find(({ name }) => name === 'effects_delivered');
	expect([check?.ok, check?.nextAction]).toEqual([false, expect.stringContaining('the queue affiliate-effects')]);
});

test('a stopped cron is reported', async () => {
	const funnel = await aFunnel();
	await tick();
	expect(await actionOf(funnel, 'cron_running')).toBeNull();
	const later = await readStatus(contextAt(Date.now() + 6 * MINUTE_MS), funnel.id);
	expect(later.checks.find(({ name }) => name === 'cron_running')?.nextAction).toMatch(/^Cron last ran on/);
});

test('counts stop at a limit to save cost', async () => {
	const funnel = await aFunnel();
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
		INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
		SELECT ?2 || i, i, ?1, (SELECT id FROM referral_links WHERE short_link = ?3), 0, 0, ?4, '2026-01-01' FROM n`,
	)
		.bind(funnel.id, unique('click'), funnel.shortLink, Date.now())
		.run();
	expect((await readStatus(contextAt(Date.now()), funnel.id, 7)).clicks24h).toBe(7);
});

test('a key sees only its own program, and the status needs a key', async () => {
	const [mine, theirs] = [await aFunnel(), await aFunnel()];
	await aSale(theirs);
	await track('sale', {}, theirs.apiToken);
	await expect.poll(() => actionOf(theirs, 'last_sale_accepted')).not.toBeNull();
	expect(await statusOf(mine)).toMatchObject({ program_id: mine.id, recent_events: { leads_24h: 0, sales_24h: 0 }, active_partners: 1 });
	expect(await actionOf(mine, 'last_sale_accepted')).toBeNull();
	for (const token of [undefined, 'no-such-key', mine.owner.token]) {
		expect((await api('/api/v1/cli/status', token === undefined ? {} : { token })).status).toBe(401);
	}
	expect((await api('/api/v1/cli/status', { headers: { Authorization: 'Basic x' } })).status).toBe(401);
	expect((await api('/api/v1/cli/status', { token: mine.apiToken, method: 'POST' })).status).toBe(405);
});
