import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/domain/reporting/event-position.ts';
import { type ChainFacts, verdictOn } from '../../../src/domain/monitoring/integration-progress.ts';

const CREDITED = { isCredited: true };

const FRESH: ChainFacts = {
	isActive: true,
	isArchived: false,
	address: 'https://shop.example/?aff=pat',
	refusedOrigins: [],
	isCrawledOnly: false,
	earlier: {},
	events: {},
	refusals: {},
};

const reasonsOf = (facts: Partial<ChainFacts>) => EVENT_TYPES.map((step) => verdictOn(step, { ...FRESH, ...facts }).reason);
const statesOf = (facts: Partial<ChainFacts>) => EVENT_TYPES.map((step) => verdictOn(step, { ...FRESH, ...facts }).state);

test('an event that led to a partner is done, whatever was refused or deactivated later', () => {
	const events = { click: CREDITED, lead: CREDITED, sale: CREDITED, refund: CREDITED };
	const trouble = { isActive: false, refusedOrigins: ['https://a.example'], refusals: { lead: 'No.', sale: 'No.', refund: 'No.' } };
	expect(statesOf({ events, ...trouble })).toEqual(['done', 'done', 'done', 'done']);
	expect(reasonsOf({ events, ...trouble })).toEqual([null, null, null, null]);
});

test('before any event, each step says what to do', () => {
	expect(statesOf({})).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
	expect(reasonsOf({})).toEqual([
		'No click has arrived. Open https://shop.example/?aff=pat in a browser. The page must load the script or report the click itself. A click appears after some seconds. Clicks from headless browsers are not counted',
		'No lead has arrived. Sign up on your site and report it with your customer_key and the click_id from the cookie: POST /api/v1/track/lead',
		'No sale has arrived. Buy something as that customer and report the payment from your backend with the customer_key of the lead: POST /api/v1/track/sale',
		'No refund has arrived. Refund the payment and report the refund from your backend with the transaction_id of the sale: POST /api/v1/track/refund',
	]);
});

test('an event without a partner says why', () => {
	const nobody = { isCredited: false };
	const events = { click: nobody, lead: nobody, sale: nobody, refund: nobody };
	expect(statesOf({ events })).toEqual(['uncredited', 'uncredited', 'uncredited', 'uncredited']);
	expect(reasonsOf({ events })).toEqual([
		'A click arrived, but its link no longer belongs to a partner. Open the link of an active partner',
		'A lead arrived, but no partner is credited because it had no known click_id. Send the click_id from the cookie tracker_click_id',
		'A sale arrived, but no partner is credited because its customer did not come through a link. Send the customer_key of a lead that had a click_id',
		'A refund arrived, but no partner is credited with its sale',
	]);
});

test('a refused call is shown with its error', () => {
	const refusals = { lead: 'customer_key is required.', sale: 'Customer not found', refund: 'Sale not found for transaction_id' };
	expect(statesOf({ refusals })).toEqual(['waiting', 'refused', 'refused', 'refused']);
	expect(reasonsOf({ refusals }).slice(1)).toEqual([
		'The last lead was refused: customer_key is required. Correct that and send it again',
		'The last sale was refused: Customer not found. Correct that and send it again',
		'The last refund was refused: Sale not found for transaction_id. Correct that and send it again',
	]);
});

test('refused origins are named: for the click, and for the lead once a click has arrived', () => {
	const refusedOrigins = ['https://a.example', 'https://b.example', 'null'];
	const named =
		'Pages of https://a.example, https://b.example were refused because the program does not list their origin. If they are yours, add them to its allowed origins';
	expect(statesOf({ refusedOrigins })).toEqual(['refused', 'waiting', 'waiting', 'waiting']);
	expect(reasonsOf({ refusedOrigins })[0]).toBe(named);
	const withClick = { refusedOrigins, events: { click: CREDITED } };
	expect(statesOf(withClick)).toEqual(['done', 'refused', 'waiting', 'waiting']);
	expect(reasonsOf(withClick)[1]).toBe(named);
	expect(reasonsOf({ ...withClick, refusals: { lead: 'No' } })[1]).toMatch(/^The last lead was refused: No\. /);
	expect(reasonsOf({ refusedOrigins: ['null'] })[0]).toBe(
		'A page without an origin was refused. A page that is opened from a file or in a sandboxed frame has no origin. Serve it over HTTP',
	);
});

test('without a link, with only crawlers, and in an inactive program', () => {
	expect(reasonsOf({ address: null })[0]).toBe('No active partner has a link to click. Add a partner, who gets a link immediately');
	expect(reasonsOf({ isCrawledOnly: true })[0]).toBe(
		'Only clicks from crawlers and headless browsers have arrived, and these are not counted. Open https://shop.example/?aff=pat in your own browser',
	);
	const inactive = { isActive: false, refusedOrigins: ['https://a.example'], refusals: { lead: 'No' } };
	expect(statesOf(inactive)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
	expect(new Set(reasonsOf(inactive))).toEqual(new Set(['The program is not active, so nothing is recorded. Set active to true']));
});

test('events from before this try are never called missing', () => {
	const at = Date.UTC(2026, 4, 3, 10, 12);
	const earlier = { click: at, lead: at, sale: at, refund: at };
	expect(statesOf({ earlier })).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
	const reasons = reasonsOf({ earlier });
	expect(reasons.map((reason) => reason?.split('. ')[0])).toEqual(
		['click', 'lead', 'sale', 'refund'].map((step) => `The last ${step} arrived on 3 May 2026, 10:12 UTC, before this test`),
	);
	expect(reasonsOf({ earlier, isCrawledOnly: true })[0]).toMatch(
		/^In this test, only clicks from crawlers and headless browsers have arrived/,
	);
});

test('an archived program must be restored first', () => {
	const reason = 'The program is archived, so nothing is recorded. Restore it first';
	expect(reasonsOf({ isActive: false, isArchived: true })).toEqual([reason, reason, reason, reason]);
});
