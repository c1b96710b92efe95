import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/client.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { readStatus } from '../../src/reporting/read-status.ts';
import { contextAt } from '../support/clock.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aFunnel, aLead, aSale } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, receive, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api } from '../support/world.ts';

// The Stripe checks in a program's status.

const NAMES = [
	'stripe_connected',
	'stripe_events_received',
	'stripe_signatures_match',
	'stripe_timestamps_match',
	'stripe_events_selected',
	'stripe_events_applied',
	'stripe_reversals_linked',
];

async function stripeChecksOf(of: { readonly id: number }, now = Date.now()): Promise<Record<string, string | null>> {
	const { checks } = await readStatus(contextAt(now), of.id);
	const found = checks.filter(({ name }) => name.startsWith('stripe_'));
	for (const { ok, nextAction } of found) expect(ok).toBe(nextAction === null);
	return Object.fromEntries(found.map(({ name, nextAction }) => [name, nextAction]));
}

/** Its partner has left. */
async function aRefusedCheckout(funnel: StripeFunnel) {
	const metadata = { tracker_customer_key: await aLead(funnel) };
	await api(`${funnel.path}/partners/${funnel.partnerId}`, { method: 'DELETE', token: funnel.owner.token });
	const event = stripeStory({ metadata }).checkout.completed();
	await send(funnel, event);
	return event;
}

test('a program without Stripe gets one optional hint with the steps at Stripe', async () => {
	const checks = await stripeChecksOf(await aFunnel());
	expect(Object.keys(checks)).toEqual(['stripe_connected']);
	expect(checks['stripe_connected']).toMatch(
		/^Optional\. .*GET \/api\/v1\/programs\/\d+\/stripe.*checkout\.session\.completed.*invoice\.paid/,
	);
});

test('a connected one waits for its first event and then has no advice', async () => {
	const funnel = await aStripeFunnel();
	expect((await api<never>('/api/v1/cli/status', { token: funnel.apiToken })).body).toMatchObject({ stripe_connected: true });
	const before = await stripeChecksOf(funnel);
	expect(Object.keys(before)).toEqual(NAMES);
	expect(before).toMatchObject({
		stripe_connected: null,
		stripe_events_received: expect.stringMatching(/^No event has arrived from Stripe yet/),
		stripe_events_applied: null,
	});
	await send(funnel, stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } }).checkout.completed());
	expect(Object.values(await stripeChecksOf(funnel))).toEqual(NAMES.map(() => null));
});

describe('a refused event', () => {
	test('is reported with its reason and advice, for a week or until its replay', async () => {
		const funnel = await aStripeFunnel();
		const event = await aRefusedCheckout(funnel);
		const [row] = await inboxOf(funnel);
		const action = (await stripeChecksOf(funnel))['stripe_events_applied'];
		expect(action).toContain(`The checkout.session.completed ${event.id} from Stripe was refused on `);
		expect(action).toContain(': Refused: No partner-program relationship found for this customer. Correct');
		expect(action).toContain(`POST ${funnel.path}/processor-events/${row?.id}/replay`);
		expect(await stripeChecksOf(funnel, Date.now() + 7 * DAY_MS + MINUTE_MS)).toMatchObject({ stripe_events_applied: null });
		await api(`${funnel.path}/processor-events/${row?.id}/replay`, { token: funnel.owner.token, method: 'POST' });
		expect(await stripeChecksOf(funnel)).toMatchObject({ stripe_events_applied: null });
	});

	test('is not reported if it belongs to another program of the Stripe account or has no partner', async () => {
		const funnel = await aStripeFunnel();
		await send(funnel, stripeStory({ metadata: { program_id: '1000000', tracker_customer_key: 'x' } }).checkout.completed());
		await api('/api/v1/track/lead', { token: funnel.apiToken, body: { customer_key: 'direct' } });
		await send(funnel, stripeStory({ metadata: { tracker_customer_key: 'direct' } }).checkout.completed());
		expect((await inboxOf(funnel)).map(({ state }) => state)).toEqual(['waiting', 'refused']);
		expect(await stripeChecksOf(funnel)).toMatchObject({ stripe_events_applied: null });
	});
});

test('a failed event is reported, the newest problem first', async () => {
	const funnel = await aStripeFunnel();
	await aRefusedCheckout(funnel);
	const event = stripeStory().checkout.expired();
	await send(funnel, event);
	await env.DB.prepare(
		"UPDATE processor_events SET state = 'failed', reason = 'Gave up after 8 tries.', settled_at = settled_at + 1000, revision = revision + 1 WHERE event_id = ?",
	)
		.bind(event.id)
		.run();
	const action = (await stripeChecksOf(funnel))['stripe_events_applied'];
	expect(action).toContain(`The checkout.session.expired ${event.id} from Stripe failed on `);
	expect(action).toContain(': Gave up after 8 tries. Correct');
});

test('unprocessed events are reported after five minutes', async () => {
	const funnel = await aStripeFunnel();
	await receive(funnel, stripeStory().checkout.expired());
	const now = Date.now();
	expect(await stripeChecksOf(funnel, now + 4 * MINUTE_MS)).toMatchObject({ stripe_events_applied: null });
	expect((await stripeChecksOf(funnel, now + 6 * MINUTE_MS))['stripe_events_applied']).toMatch(
		/^Events from Stripe have been waiting since .* the queue affiliate-effects has its consumer/,
	);
	await tickAt(now + 6 * MINUTE_MS);
	expect(await stripeChecksOf(funnel, now + 7 * MINUTE_MS)).toMatchObject({ stripe_events_applied: null });
});

test('the status still takes one trip and shows nothing of other programs', async () => {
	const [mine, theirs] = [await aStripeFunnel(), await aStripeFunnel()];
	await aSale(theirs);
	await aRefusedCheckout(theirs);
	const DB = countingTrips(env.DB);
	const { checks } = await readStatus({ ...contextAt(Date.now()), db: openDatabase(DB) }, mine.id);
	expect(DB.trips()).toBe(1);
	expect(checks.find(({ name }) => name === 'stripe_events_applied')).toMatchObject({ ok: true });
	expect(checks.find(({ name }) => name === 'stripe_events_received')).toMatchObject({ ok: false });
});
