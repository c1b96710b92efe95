import { beforeAll, describe, expect, test } from 'vitest';
import { type ChainEvents, judgeTestChain } from '../../src/test-mode/judge-test-chain.ts';
import { contextAt, linkIdOf } from '../support/clock.ts';
import { aFunnel, aLead, balanceOf, type Funnel, rows, sharedOwner } from '../support/funnel.ts';
import { applyWaiting } from '../support/effects.ts';
import { api, aProgram } from '../support/world.ts';

interface Run {
	readonly type: string;
	readonly ok: boolean;
	readonly test_mode: true;
	readonly verdict: Record<string, string>;
	readonly attributed: boolean;
	readonly steps: readonly {
		readonly step: string;
		readonly ok: boolean;
		readonly error?: string;
		readonly detail?: Record<string, unknown>;
	}[];
}

const all = (verdict: string) => ({ click: verdict, lead: verdict, sale: verdict });

const run = (of: { readonly apiToken: string }, body: unknown) => api<Run>('/api/v1/cli/test-event', { token: of.apiToken, body });

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

test('a chain sends click, lead, sale and refund through the real path and reports each', async () => {
	const { status, body } = await run(funnel, { type: 'chain' });
	const eventId = expect.any(Number);
	const clickId = expect.stringMatching(/^cust_\d+_\d+$/);
	const customerKey = expect.stringMatching(/^test_customer_/);
	const transactionId = expect.stringMatching(/^test_chain_/);
	expect([status, body]).toEqual([
		200,
		{
			success: true,
			data: {
				type: 'chain',
				ok: true,
				test_mode: true,
				short_code: funnel.shortLink,
				customer_key: customerKey,
				verdict: { click: 'attributed', lead: 'attributed', sale: 'attributed' },
				attributed: true,
				steps: [
					{ step: 'click', ok: true, detail: { event_id: eventId, click_id: clickId } },
					{ step: 'lead', ok: true, detail: { event_id: eventId, click_id: clickId, customer_key: customerKey } },
					{ step: 'sale', ok: true, detail: { event_id: eventId, transaction_id: transactionId } },
					{ step: 'refund', ok: true, detail: { event_id: eventId, transaction_id: transactionId } },
				],
			},
		},
	]);
});

test('every row is marked as a test, and no real data changes', async () => {
	const place = await aFunnel();
	await applyWaiting(place);
	await run(place, { type: 'chain' });
	for (const table of ['affiliate_click_events', 'affiliate_lead_events', 'affiliate_sale_events', 'refund_events']) {
		expect([table, await rows(`SELECT is_test FROM ${table} WHERE program_id = ?`, place.id)]).toEqual([table, [{ is_test: 1 }]]);
	}
	for (const table of ['customers', 'commissions', 'outbox', 'notifications', 'daily_breakdown']) {
		expect([table, await rows(`SELECT * FROM ${table} WHERE program_id = ?`, place.id)]).toEqual([table, []]);
	}
	expect(await balanceOf(place)).toBe(0);
	const { text } = await api('/api/v1/cli/status', { token: place.apiToken });
	expect(JSON.parse(text)).toMatchObject({
		recent_events: { clicks_24h: 0, leads_24h: 0, sales_24h: 0 },
		last_event_at: { click: null, lead: null, sale: null },
	});
});

test('chains can run concurrently and repeatedly', async () => {
	const runs = await Promise.all(Array.from({ length: 5 }, () => run(funnel, { type: 'chain' })));
	expect(runs.map(({ body }) => body.data.ok)).toEqual(Array.from({ length: 5 }, () => true));
});

test.each([
	['click', ['click']],
	['lead', ['lead']],
	['sale', ['sale']],
	['refund', ['sale', 'refund']],
])('%s alone takes the steps %j', async (type, steps) => {
	const { body } = await run(funnel, { type });
	expect(body.data).toMatchObject({ type, ok: true, steps: steps.map((step) => ({ step, ok: true })) });
});

test('without a link the click step gives advice, and the other steps run', async () => {
	const program = await aProgram(await sharedOwner());
	const { status, body } = await run(program, { type: 'chain' });
	expect([status, body.data.ok]).toEqual([200, false]);
	const [click, ...rest] = body.data.steps;
	expect(click).toEqual({ step: 'click', ok: false, error: expect.stringContaining(`POST /api/v1/programs/${program.id}/partners`) });
	expect(rest.map(({ step, ok }) => [step, ok])).toEqual([
		['lead', true],
		['sale', true],
		['refund', true],
	]);
});

test('events without a partner are reported as such', async () => {
	const linkless = await run(await aProgram(await sharedOwner()), { type: 'chain' });
	expect(linkless.body.data).toMatchObject({
		short_code: null,
		verdict: { click: 'unattributed', lead: 'unattributed', sale: 'unattributed' },
		attributed: false,
	});
	const alone = async (type: string) => {
		const { verdict, attributed } = (await run(funnel, { type })).body.data;
		return [verdict, attributed];
	};
	expect(await alone('click')).toEqual([{ click: 'attributed' }, true]);
	expect(await alone('lead')).toEqual([{ lead: 'unattributed' }, false]);
	expect(await alone('sale')).toEqual([{ sale: 'unattributed' }, false]);
	expect(await alone('refund')).toEqual([{ sale: 'unattributed' }, false]);
});

test('the verdict uses the stored rows', async () => {
	const place = await aFunnel();
	const other = await aFunnel();
	const { body } = await run(place, { type: 'chain' });
	const idOf = (step: string) => Number(body.data.steps.find((taken) => taken.step === step)?.detail?.['event_id']);
	const [click, lead, sale] = [idOf('click'), idOf('lead'), idOf('sale')];
	const customerKey = String(body.data.steps[1]?.detail?.['customer_key']);
	const linkId = await linkIdOf(place);
	const judge = (link: number, events: ChainEvents, key = customerKey) =>
		judgeTestChain(contextAt(Date.now()), { programId: place.id, linkId: link, customerKey: key }, events);
	expect(await judge(linkId, { click, lead, sale })).toEqual(all('attributed'));
	expect(await judge(await linkIdOf(other), { click, lead, sale })).toEqual(all('wrong_partner'));
	expect(await judge(linkId, { click, lead, sale }, 'somebody else')).toEqual({ ...all('attributed'), sale: 'unattributed' });
	expect(await judge(linkId, { click, sale })).toEqual({ ...all('unattributed'), click: 'attributed' });
	expect(await judgeTestChain(contextAt(Date.now()), { programId: other.id, linkId, customerKey }, { click, lead, sale })).toEqual(
		all('unattributed'),
	);
	const real = await aLead(place);
	const [row] = await rows('SELECT id FROM affiliate_lead_events WHERE program_id = ? AND customer_key = ?', place.id, real);
	expect(await judge(linkId, { click, lead: Number(row?.['id']) })).toEqual({ ...all('unattributed'), click: 'attributed' });
});

test('an archived link, or one of a suspended partner, is not used', async () => {
	const place = await aFunnel();
	await api(`/api/v1/programs/${place.id}/partners/${place.partnerId}`, {
		token: place.owner.token,
		method: 'PATCH',
		body: { status: 'suspended' },
	});
	const { body } = await run(place, { type: 'click' });
	expect(body.data.steps).toEqual([{ step: 'click', ok: false, error: expect.stringContaining('No active partner') }]);
});

describe('access and parameters', () => {
	test.each([
		[{ type: 'everything' }, 'type must be one of chain, click, lead, sale, refund'],
		[{}, 'type must be one of chain, click, lead, sale, refund'],
		[{ type: ['chain'] }, 'type must be one of chain, click, lead, sale, refund'],
		[{ type: 'chain', amount: 5 }, 'Unknown field: amount'],
		[{ event_type: 'refund' }, 'event_type must be one of click, lead, sale'],
		[{ program_id: '1' }, 'type must be one of chain, click, lead, sale, refund'],
		['[]', 'Request body must be a JSON object'],
		['{', 'Request body must be valid JSON'],
	])('%j: %s', async (body, error) => {
		const refused = await run(funnel, body);
		expect([refused.status, refused.body]).toEqual([400, { error }]);
	});

	test('only a program key is accepted', async () => {
		for (const apiToken of ['no-such-key', funnel.owner.token]) expect((await run({ apiToken }, { type: 'chain' })).status).toBe(401);
		expect((await run({ apiToken: 'no-such-key' }, {})).status).toBe(401);
		expect((await api('/api/v1/cli/test-event', { body: { type: 'chain' } })).status).toBe(401);
	});
});
