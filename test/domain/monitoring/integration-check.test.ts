import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import { checksOf, type IntegrationFacts, STRIPE_TROUBLE_MS, UNCREDITED_MS } from '../../../src/domain/monitoring/integration-check.ts';
import { PATIENCE_MS } from '../../../src/domain/monitoring/processor-checks.ts';

const NOW = Date.UTC(2026, 2, 10, 12);

/** A complete program with Stripe. */
const WELL: IntegrationFacts = {
	programId: 7,
	isArchived: false,
	hasPartnerLink: true,
	hasRule: true,
	hasOrigin: true,
	refusedOrigins: [],
	lastClickAt: NOW,
	hasAnyClick: true,
	lastLeadAt: NOW,
	lastSaleAt: NOW,
	refusal: null,
	uncredited: null,
	misspelt: [],
	deadLetters: 0,
	waitingSince: null,
	lastTickAt: NOW,
	isStripeConnected: true,
	stripeEvents: ['charge.refunded', 'invoice.paid'],
	lastStripeEventAt: NOW,
	stripeFailures: [],
	stripeDueSince: null,
	stripeTrouble: null,
	lostReversal: null,
	missingEvents: [],
	reportedTwice: null,
	others: [],
};
const TROUBLE = { id: 3, eventId: 'evt_1', type: 'invoice.paid', state: 'failed', reason: 'It broke. Badly.', settledAt: NOW };
const REFUSAL = { refusedAt: NOW - 1, transactionId: 't1', reason: 'amount_cents is required.' };

/** The names of the incomplete checks and their advice. */
function actionsOf(facts: Partial<IntegrationFacts>): Record<string, string | null> {
	const missing = checksOf({ ...WELL, ...facts }, NOW).filter(({ ok, nextAction }) => !ok || nextAction !== null);
	expect(missing.filter(({ ok }) => ok)).toEqual([]);
	return Object.fromEntries(missing.map(({ name, nextAction }) => [name, nextAction]));
}

test('a complete program has every check, and no advice', () => {
	expect(checksOf(WELL, NOW)).toEqual(
		[
			'partner_link',
			'commission_rule',
			'allowed_origins',
			'origins_accepted',
			'click_received',
			'lead_received',
			'sale_received',
			'last_sale_accepted',
			'page_leads_credited',
			'fields_known',
			'dead_letters',
			'effects_delivered',
			'cron_running',
			'stripe_connected',
			'stripe_events_received',
			'stripe_signatures_match',
			'stripe_timestamps_match',
			'stripe_events_selected',
			'stripe_events_applied',
			'stripe_reversals_linked',
			'sales_reported_once',
		].map((name) => ({ name, ok: true, nextAction: null })),
	);
});

test('only the missing thing is named, with the request that fixes it', () => {
	const origin = 'PATCH /api/v1/programs/7 {"allowed_origins": ["https://shop.example"]}';
	expect(actionsOf({ hasPartnerLink: false })).toEqual({ partner_link: expect.stringMatching(/POST \/api\/v1\/programs\/7\/partners$/) });
	expect(actionsOf({ hasRule: false })).toEqual({
		commission_rule: expect.stringMatching(/POST \/api\/v1\/programs\/7\/commission-rules$/),
	});
	expect(actionsOf({ hasOrigin: false })).toEqual({ allowed_origins: expect.stringContaining(origin) });
	expect(actionsOf({ lastClickAt: null, hasAnyClick: false })).toEqual({
		click_received: expect.stringMatching(/^No click has arrived yet\..*POST \/api\/v1\/track\/click$/),
	});
	expect(actionsOf({ lastClickAt: null })).toEqual({
		click_received: expect.stringMatching(
			/^Only clicks from crawlers and headless browsers have arrived, .*in your own browser\..*user_agent$/,
		),
	});
	expect(actionsOf({ lastLeadAt: null })).toEqual({ lead_received: expect.stringContaining('POST /api/v1/track/lead') });
	expect(actionsOf({ lastSaleAt: null })).toEqual({ sale_received: expect.stringContaining('POST /api/v1/track/sale') });
	expect(actionsOf({ deadLetters: 2 })).toEqual({
		dead_letters: expect.stringMatching(/^2 messages could not be delivered.*\/dead-letters\/<id>\/replay$/),
	});
});

describe('the last refused sale', () => {
	const reported = 'amount_cents is required. Correct that and send the sale again';

	test('is shown with its reason until a later sale is recorded', () => {
		const said = `The last sale with transaction_id t1 was refused on 10 March 2026, 11:59 UTC: ${reported}, unless the message says that it is already recorded`;
		expect(actionsOf({ refusal: REFUSAL, lastSaleAt: NOW - 2 })).toEqual({ last_sale_accepted: said });
		expect(actionsOf({ refusal: REFUSAL, lastSaleAt: REFUSAL.refusedAt })).toHaveProperty('last_sale_accepted');
		expect(actionsOf({ refusal: REFUSAL, lastSaleAt: null })).toHaveProperty('last_sale_accepted');
		expect(actionsOf({ refusal: REFUSAL, lastSaleAt: NOW })).toEqual({});
	});

	test('may have no transaction_id, and a reason without a full stop', () => {
		const refusal = { ...REFUSAL, transactionId: null, reason: 'amount_cents. is required' };
		expect(actionsOf({ refusal, lastSaleAt: NOW - 2 })['last_sale_accepted']).toMatch(
			/^The last sale was refused on 10 March 2026, 11:59 UTC: amount_cents\. is required\. Correct/,
		);
	});
});

describe('background work is late after five minutes:', () => {
	test('waiting effects', () => {
		expect(PATIENCE_MS).toBe(5 * MINUTE_MS);
		expect(actionsOf({ waitingSince: NOW - PATIENCE_MS })).toEqual({});
		expect(actionsOf({ waitingSince: NOW - PATIENCE_MS - 1 })).toEqual({
			effects_delivered: expect.stringMatching(/have been waiting since 10 March 2026, 11:54 UTC\. .* queue affiliate-effects /),
		});
	});

	test('the cron job', () => {
		expect(actionsOf({ lastTickAt: NOW - PATIENCE_MS })).toEqual({});
		expect(actionsOf({ lastTickAt: NOW - PATIENCE_MS - 1 })).toEqual({
			cron_running: expect.stringMatching(/^Cron last ran on 10 March 2026, 11:54 UTC\. .* cron trigger /),
		});
		expect(actionsOf({ lastTickAt: null })).toEqual({
			cron_running: expect.stringMatching(/^Cron has never run\. /),
		});
	});

	test('events of Stripe', () => {
		expect(actionsOf({ stripeDueSince: NOW - PATIENCE_MS })).toEqual({});
		const late = actionsOf({ stripeDueSince: NOW - PATIENCE_MS - 1, stripeTrouble: TROUBLE });
		expect(late).toEqual({
			stripe_events_applied: expect.stringMatching(
				/have been waiting since 10 March 2026, 11:54 UTC\. .*\/api\/v1\/programs\/7\/processor-events\?state=received, /,
			),
		});
	});
});

describe('Stripe', () => {
	test('is offered to programs that do not use it, with the address, the events and the request, and without further checks', () => {
		const facts = { isStripeConnected: false, lastStripeEventAt: null, stripeTrouble: TROUBLE };
		const actions = actionsOf(facts);
		expect(Object.keys(actions)).toEqual(['stripe_connected']);
		expect(actions['stripe_connected']).toMatch(
			/^Optional\. .*GET \/api\/v1\/programs\/7\/stripe and the events charge\.refunded, invoice\.paid\. Then PUT \/api\/v1\/programs\/7\/stripe \{"webhook_secret": /,
		);
		expect(checksOf({ ...WELL, isStripeConnected: false }, NOW).map(({ name }) => name)).not.toContain('stripe_events_received');
	});

	test('that sends nothing gets advice', () => {
		expect(actionsOf({ lastStripeEventAt: null })).toEqual({
			stripe_events_received: expect.stringMatching(
				/is active, .* GET \/api\/v1\/programs\/7\/stripe, .* charge\.refunded, invoice\.paid$/,
			),
		});
	});

	test.each([
		['failed', 'failed'],
		['refused', 'was refused'],
	])('whose last event %s gets the reason, and the request that replays it', (state, word) => {
		expect(actionsOf({ stripeTrouble: { ...TROUBLE, state } })).toEqual({
			stripe_events_applied: `The invoice.paid evt_1 from Stripe ${word} on 10 March 2026, 12:00 UTC: It broke. Badly. Correct that and replay the event: POST /api/v1/programs/7/processor-events/3/replay. All such events: GET /api/v1/programs/7/processor-events?state=${state}`,
		});
	});

	test('keeps showing a problem for a week', () => expect(STRIPE_TROUBLE_MS).toBe(7 * DAY_MS));
});

test('refused origins are named, but not in a form that can be pasted into the request', () => {
	const reported = actionsOf({ refusedOrigins: ['http://localhost:5173', 'https://shop.example', 'null'] });
	expect(reported).toEqual({
		origins_accepted: expect.stringContaining('their origins: http://localhost:5173, https://shop.example. If they are yours'),
	});
	expect(reported['origins_accepted']).toContain('PATCH /api/v1/programs/7 {"allowed_origins": [...]}');
});

test('pages without an origin cannot be listed', () => {
	expect(actionsOf({ refusedOrigins: ['null'] })).toEqual({
		origins_accepted: expect.stringMatching(/without an origin .* Serve it over HTTP$/),
	});
});

test('page leads that came too late are shown for a day', () => {
	const uncredited = { leads: 3, since: NOW - 5 * DAY_MS, lastAt: NOW - UNCREDITED_MS };
	expect(actionsOf({ uncredited })).toEqual({
		page_leads_credited:
			'Your pages sent 3 leads after your backend had recorded the same customer_key without a click, the first on 5 March 2026, 12:00 UTC, the last on 9 March 2026, 12:00 UTC. They were refused and credit no partner. Send the click_id (the cookie tracker_click_id) with the lead from your backend',
	});
	expect(actionsOf({ uncredited: { ...uncredited, lastAt: NOW - UNCREDITED_MS - 1 } })).toEqual({});
});

describe('another processor', () => {
	const paddle = {
		name: 'paddle',
		title: 'Paddle',
		events: ['transaction.completed'],
		hasEvent: true,
		failures: [],
		dueSince: null,
		trouble: null,
	};

	test('that is connected has its own checks, even without Stripe', () => {
		const names = checksOf({ ...WELL, isStripeConnected: false, others: [paddle] }, NOW).map(({ name }) => name);
		expect(names.slice(-5)).toEqual([
			'stripe_connected',
			'paddle_events_received',
			'paddle_signatures_match',
			'paddle_timestamps_match',
			'paddle_events_applied',
		]);
		expect(actionsOf({ others: [paddle] })).toEqual({});
	});

	test('is called by its name, with advice', () => {
		expect(actionsOf({ others: [{ ...paddle, hasEvent: false }] })).toEqual({
			paddle_events_received:
				'No event has arrived from Paddle yet. Check that its webhook is active, has the address from GET /api/v1/programs/7/processors/paddle, and sends the events transaction.completed',
		});
		const failures = [
			{ kind: 'mismatch', failures: 3, lastAt: NOW, offsetMs: null },
			{ kind: 'timestamp', failures: 1, lastAt: NOW, offsetMs: -20 * MINUTE_MS },
		] as const;
		expect(actionsOf({ others: [{ ...paddle, hasEvent: false, failures }] })).toEqual({
			paddle_events_received: expect.stringMatching(/^Events have arrived from Paddle, but all were refused /),
			paddle_signatures_match: expect.stringMatching(/^3 events from Paddle arrived with a signature that does not match, /),
			paddle_timestamps_match: expect.stringMatching(/Its timestamp was 20 minutes /),
		});
		expect(actionsOf({ others: [{ ...paddle, trouble: TROUBLE }] })).toEqual({
			paddle_events_applied: expect.stringMatching(
				/^The invoice\.paid evt_1 from Paddle failed on 10 March 2026, 12:00 UTC: It broke\. Badly\. Correct/,
			),
		});
		expect(actionsOf({ others: [{ ...paddle, dueSince: NOW - PATIENCE_MS }] })).toEqual({});
		expect(actionsOf({ others: [{ ...paddle, dueSince: NOW - PATIENCE_MS - 1 }] })).toEqual({
			paddle_events_applied: expect.stringMatching(/^Events from Paddle have been waiting since /),
		});
	});
});

test('an archived program is checked only for its unfinished work', () => {
	const names = checksOf({ ...WELL, isArchived: true, lastClickAt: null, hasRule: false }, NOW).map(({ name }) => name);
	expect(names).toEqual(['dead_letters', 'effects_delivered', 'cron_running', 'stripe_events_applied', 'stripe_reversals_linked']);
	expect(checksOf({ ...WELL, isArchived: true, stripeTrouble: TROUBLE }, NOW).filter(({ ok }) => !ok)).toMatchObject([
		{ name: 'stripe_events_applied' },
	]);
});

test('misspelt fields are named with the correct name', () => {
	const misspelt = [
		{ operation: 'sale', field: 'subscriptionId', meant: 'subscription_id', calls: 12 },
		{ operation: 'lead', field: 'customerkey', meant: 'customer_key', calls: 1 },
	];
	expect(actionsOf({ misspelt })).toEqual({
		fields_known:
			'Your backend sends fields that look misspelt and are ignored: subscriptionId in 12 sale calls: did you mean subscription_id? customerkey in 1 lead call: did you mean customer_key? Correct the names. This check passes a day after the last such call',
	});
});
