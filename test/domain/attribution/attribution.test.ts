import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	type AttributedClick,
	type ClaimedCustomer,
	type Evidence,
	FURTHER_CUSTOMERS,
	identify,
	identifyLead,
	identifyVisitor,
	isInsideWindow,
	type KnownCustomer,
	type PaymentTimes,
	type Eligibility,
	eligibilityOf,
	settleClaim,
} from '../../../src/domain/attribution/attribution.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';

const click: AttributedClick = { clickId: 'cust_1_1', clickedAt: 1, referralLinkId: 1, partnerProgramId: 1, customers: 0 };
const unattributed: KnownCustomer = { id: 1, revision: 0, status: 'lead', customerKey: 'a', clickId: null };
const attributed: KnownCustomer = { ...unattributed, clickId: 'cust_9_9' };
const ofClick: KnownCustomer = { ...unattributed, id: 2, customerKey: null, clickId: click.clickId };
const nothing: Evidence<KnownCustomer> = { customerKey: undefined, byKey: undefined, click: undefined, ofClick: undefined };

const known = (customer: KnownCustomer, newKey?: string, newClick?: AttributedClick) => ({ kind: 'known', customer, newKey, newClick });
const newOne = (customerKey?: string, of?: AttributedClick) => ({ kind: 'new', customerKey, click: of });

const locked = (customer: KnownCustomer) => ({ kind: 'locked', customer });

describe('decision 4, case by case', () => {
	test.each<[what: string, evidence: Partial<Evidence<KnownCustomer>>, identity: object]>([
		['a known key names its customer', { customerKey: 'a', byKey: attributed }, known(attributed)],
		['a later click does not change its attribution', { customerKey: 'a', byKey: attributed, click }, known(attributed)],
		[
			'a later click with its own customer does not change its attribution',
			{ customerKey: 'a', byKey: attributed, click, ofClick },
			known(attributed),
		],
		[
			"an unattributed customer gets the click's attribution",
			{ customerKey: 'a', byKey: unattributed, click },
			known(unattributed, undefined, click),
		],
		[
			"an unattributed buyer does not get the click's attribution",
			{ customerKey: 'a', byKey: { ...unattributed, status: 'conversion' }, click },
			known({ ...unattributed, status: 'conversion' }),
		],
		['a click finds its customer', { click, ofClick }, known(ofClick)],
		['an unknown key is added to that customer', { customerKey: 'b', click, ofClick }, known(ofClick, 'b')],
		[
			'an unknown key makes another customer if that customer has a key',
			{ customerKey: 'b', click, ofClick: { ...ofClick, customerKey: 'a' } },
			newOne('b', click),
		],
		[
			'a click alone finds its customer even if that one has a key',
			{ click, ofClick: { ...ofClick, customerKey: 'a' } },
			known({ ...ofClick, customerKey: 'a' }),
		],
		['a click without a customer makes one', { click }, newOne(undefined, click)],
		['a click without a customer and a key make one with the key', { customerKey: 'b', click }, newOne('b', click)],
		['an unknown key alone makes an unattributed customer', { customerKey: 'b' }, newOne('b')],
	])('%s', (_what, evidence, identity) => {
		expect(identify({ ...nothing, ...evidence })).toEqual(identity);
	});
});

describe('the same in browser mode', () => {
	const nobody = { kind: 'nobody' };
	test.each<[what: string, evidence: Partial<Evidence<KnownCustomer>>, identity: object]>([
		['a click without a customer makes one', { click }, newOne(undefined, click)],
		['a click without a customer and a key make one with the key', { customerKey: 'b', click }, newOne('b', click)],
		['a known key is locked', { customerKey: 'a', byKey: attributed }, locked(attributed)],
		['a known key is locked even if it is unattributed', { customerKey: 'a', byKey: unattributed, click }, locked(unattributed)],
		[
			"a known key is locked even if the click's customer has no key",
			{ customerKey: 'a', byKey: unattributed, click, ofClick },
			locked(unattributed),
		],
		["an unknown key is added to the click's customer", { customerKey: 'b', click, ofClick }, known(ofClick, 'b')],
		['an unknown key is added even if the click no longer attributes', { customerKey: 'b', ofClick }, known(ofClick, 'b')],
		[
			"a click's customer with another key is locked",
			{ customerKey: 'b', click, ofClick: { ...ofClick, customerKey: 'a' } },
			locked({ ...ofClick, customerKey: 'a' }),
		],
		[
			"a click's customer with another key is locked even without a lead",
			{ customerKey: 'b', click, ofClick: { ...ofClick, customerKey: 'a', status: 'click' } },
			locked({ ...ofClick, customerKey: 'a', status: 'click' }),
		],
		['a second lead of the click is locked', { click, ofClick }, locked(ofClick)],
		[
			"the first lead of the click's customer is recorded",
			{ click, ofClick: { ...ofClick, status: 'click' } },
			known({ ...ofClick, status: 'click' }),
		],
		[
			'a second lead is locked even if the customer has a key',
			{ click, ofClick: { ...ofClick, customerKey: 'a' } },
			locked({ ...ofClick, customerKey: 'a' }),
		],
		['without a known click there is nobody', { customerKey: 'b' }, nobody],
		['without any id there is nobody', {}, nobody],
	])('%s', (_what, evidence, identity) => {
		expect(identifyVisitor({ ...nothing, ...evidence })).toEqual(identity);
	});
});

describe('a click at its limit of further customers', () => {
	const at = { ...click, customers: FURTHER_CUSTOMERS };
	const beyond = { ...click, customers: FURTHER_CUSTOMERS + 1 };
	const other = { ...ofClick, customerKey: 'a' };

	test('still attributes leads at the limit, but not beyond', () => {
		expect(identifyLead({ ...nothing, customerKey: 'b', click: at, ofClick: other })).toEqual(newOne('b', at));
		expect(identifyLead({ ...nothing, customerKey: 'b', click: beyond, ofClick: other })).toEqual(newOne('b'));
		expect(identifyLead({ ...nothing, customerKey: 'a', byKey: unattributed, click: at })).toEqual(known(unattributed, undefined, at));
		expect(identifyLead({ ...nothing, customerKey: 'a', byKey: unattributed, click: beyond })).toEqual(known(unattributed));
	});

	test('still finds its own customer, and adds a key', () => {
		expect(identifyLead({ ...nothing, click: beyond, ofClick: other })).toEqual(known(other));
		expect(identifyLead({ ...nothing, customerKey: 'b', click: beyond, ofClick })).toEqual(known(ofClick, 'b'));
	});

	test('does not limit a lead without a click', () => {
		expect(identifyLead({ ...nothing, customerKey: 'b' })).toEqual(newOne('b'));
	});
});

describe('a key that only a page has claimed', () => {
	const claimant: ClaimedCustomer = { ...attributed, keyFromPage: true };
	const visitor: ClaimedCustomer = { ...ofClick, keyFromPage: false };
	const settled = (evidence: Partial<Evidence<ClaimedCustomer>>) =>
		settleClaim({ customerKey: 'a', byKey: claimant, click, ofClick: undefined, ...evidence });
	const same = { ...click, clickId: 'cust_9_9' };
	const moved = (identity: object) => ({ kind: 'moved', claimant, identity });

	test.each<[what: string, evidence: Partial<Evidence<ClaimedCustomer>>, claim: object | undefined]>([
		['is confirmed by the same click', { click: same, ofClick: claimant }, { kind: 'confirmed', claimant }],
		[
			'is confirmed even if that click has too many customers',
			{ click: { ...same, customers: FURTHER_CUSTOMERS + 1 }, ofClick: claimant },
			{ kind: 'confirmed', claimant: claimant },
		],
		['moves if another click is reported', {}, moved(newOne('a', click))],
		["moves to that click's customer", { ofClick: visitor }, moved(known(visitor, 'a'))],
		['moves to another customer if that one has a key', { ofClick: { ...visitor, customerKey: 'b' } }, moved(newOne('a', click))],
		[
			'moves if the click has reached its limit of customers',
			{ click: { ...click, customers: FURTHER_CUSTOMERS } },
			moved(newOne('a', { ...click, customers: FURTHER_CUSTOMERS })),
		],
		['does not move if the click has exceeded its limit', { click: { ...click, customers: FURTHER_CUSTOMERS + 1 } }, undefined],
		['does not move without a click', { click: undefined }, undefined],
		['does not move after its customer has bought', { byKey: { ...claimant, status: 'conversion' } }, undefined],
		['is not confirmed after its customer has bought', { byKey: { ...claimant, status: 'conversion' }, click: same }, undefined],
		['does not move if a backend reported it', { byKey: { ...claimant, keyFromPage: false } }, undefined],
		['is not confirmed if a backend reported it', { byKey: { ...claimant, keyFromPage: false }, click: same }, undefined],
		['does not move if nobody has it', { byKey: undefined }, undefined],
	])('%s', (_what, evidence, claim) => {
		expect(settled(evidence)).toEqual(claim);
	});
});

test('in any case a customer keeps an existing click and key', () => {
	const customers = fc.record({
		id: fc.integer({ min: 1 }),
		revision: fc.nat(),
		status: fc.constantFrom('click' as const, 'lead' as const, 'conversion' as const),
		customerKey: fc.option(fc.string()),
		clickId: fc.option(fc.string()),
	});
	const evidences = fc.record({
		customerKey: fc.option(fc.string(), { nil: undefined }),
		byKey: fc.option(customers, { nil: undefined }),
		click: fc.option(fc.constant(click), { nil: undefined }),
		ofClick: fc.option(customers, { nil: undefined }),
	});
	fc.assert(
		fc.property(evidences, (evidence) => {
			const identity = identify(evidence);
			if (identity.kind === 'new') return;
			if (identity.customer.clickId !== null) expect(identity.newClick).toBeUndefined();
			if (identity.customer.customerKey !== null) expect(identity.newKey).toBeUndefined();
			if (identity.customer.status === 'conversion') expect(identity.newClick).toBeUndefined();
		}),
	);
});

test('the window ends at an exact millisecond', () => {
	expect(isInsideWindow(1000, 1000, 1)).toBe(true);
	expect(isInsideWindow(1000, 1000 + DAY_MS, 1)).toBe(true);
	expect(isInsideWindow(1000, 1001 + DAY_MS, 1)).toBe(false);
	expect(isInsideWindow(0, 60 * DAY_MS, 60)).toBe(true);
	expect(isInsideWindow(0, 60 * DAY_MS + 1, 60)).toBe(false);
});

describe("the eligibility of a sale for its customer's click (decisions 8 and 41)", () => {
	const clickedAt = 100 * DAY_MS;
	const never = { subscribedAt: undefined, trialBeganAt: undefined };

	test.each<[what: string, sale: Partial<PaymentTimes>, standing: Eligibility]>([
		['paid at the click', { paidAt: clickedAt }, 'inside'],
		['paid at the end of the window', { paidAt: clickedAt + DAY_MS }, 'inside'],
		['paid after the end of the window', { paidAt: clickedAt + DAY_MS + 1 }, 'outside'],
		['paid a minute before the click: clocks differ', { paidAt: clickedAt - MINUTE_MS }, 'inside'],
		['paid more than a minute before the click', { paidAt: clickedAt - MINUTE_MS - 1 }, 'paid_before_click'],
		['paid half a day before the click', { paidAt: clickedAt - DAY_MS / 2 }, 'paid_before_click'],
		['of a subscription as old as the click', { paidAt: clickedAt, subscribedAt: clickedAt - MINUTE_MS }, 'inside'],
		['of a subscription older than the click', { paidAt: clickedAt, subscribedAt: clickedAt - MINUTE_MS - 1 }, 'subscribed_before_click'],
		[
			'of an older subscription, outside the window',
			{ paidAt: clickedAt + 9 * DAY_MS, subscribedAt: clickedAt - DAY_MS },
			'subscribed_before_click',
		],
		['of a newer subscription, outside the window', { paidAt: clickedAt + 9 * DAY_MS, subscribedAt: clickedAt + 1 }, 'outside'],
		['after a trial that began inside the window', { paidAt: clickedAt + 99 * DAY_MS, trialBeganAt: clickedAt + DAY_MS }, 'inside'],
		['after a trial that began outside the window', { paidAt: clickedAt + 99 * DAY_MS, trialBeganAt: clickedAt + DAY_MS + 1 }, 'outside'],
		['after a trial that began before the click', { paidAt: clickedAt + 1, trialBeganAt: clickedAt - DAY_MS }, 'subscribed_before_click'],
		['in a trial that is reported to begin later', { paidAt: clickedAt + DAY_MS, trialBeganAt: clickedAt + 9 * DAY_MS }, 'inside'],
	])('%s', (_what, sale, standing) => {
		expect(eligibilityOf(clickedAt, { paidAt: clickedAt, ...never, ...sale }, 1)).toBe(standing);
	});

	const instants = fc.integer({ min: 0, max: 200 * DAY_MS });
	const maybe = fc.option(instants, { nil: undefined });
	const sales = fc.record({ paidAt: instants, subscribedAt: maybe, trialBeganAt: maybe });
	const windows = fc.integer({ min: 1, max: 90 });

	test('a click never attributes anything from before it', () => {
		fc.assert(
			fc.property(instants, sales, windows, (at, sale, days) => {
				const moments = [sale.paidAt, sale.subscribedAt, sale.trialBeganAt].filter((moment) => moment !== undefined);
				const isEarlier = moments.some((moment) => at - moment > 60_000);
				expect(eligibilityOf(at, sale, days).endsWith('before_click')).toBe(isEarlier);
			}),
		);
	});

	test('otherwise a payment or trial in the window is inside, and nothing else', () => {
		fc.assert(
			fc.property(instants, sales, windows, (at, sale, days) => {
				const standing = eligibilityOf(at, sale, days);
				if (standing.endsWith('before_click')) return;
				const isInside = [sale.paidAt, sale.trialBeganAt].some((moment) => moment !== undefined && moment - at <= days * 86_400_000);
				expect(standing).toBe(isInside ? 'inside' : 'outside');
			}),
		);
	});

	test('a later click never attributes more', () => {
		const rank = { inside: 1, outside: 0, paid_before_click: -1, subscribed_before_click: -1 };
		fc.assert(
			fc.property(instants, fc.nat({ max: 300 * DAY_MS }), sales, (at, later, sale) => {
				// The window is so long that only the order of click and sale matters.
				if (rank[eligibilityOf(at, sale, 3650)] === -1) expect(rank[eligibilityOf(at + later, sale, 3650)]).toBe(-1);
			}),
		);
	});
});
