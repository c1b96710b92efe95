import { describe, expect, test } from 'vitest';
import type { FoundClick } from '../../../src/domain/attribution/attribution.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import type { RuleTerms } from '../../../src/domain/commissions/commission.ts';
import type { Buyer, SaleRefusal } from '../../../src/domain/commissions/sale-decision.ts';
import {
	began,
	buyer,
	type Case,
	click,
	CLICKED,
	decide,
	NOW,
	ofClick,
	partner,
	rival,
	rule,
	sold,
	unattributed,
} from '../../support/sale-cases.ts';

const known = (customer: Buyer, newKey?: string, newClick?: FoundClick) => ({ kind: 'known', customer, newKey, newClick });
const renews = (firstDay: string, customerId: number | null = 5) => ({ renewed: [{ customerId, firstDay }] });
const none = (reason: string) => ({ kind: 'none', reason });

test('the whole decision on a sale of a known customer', () => {
	expect(decide({})).toEqual({
		kind: 'sold',
		identity: { kind: 'known', customer: buyer, newKey: undefined, newClick: undefined },
		partnerProgramId: 7,
		currency: 'USD',
		saleDay: '2026-10-11',
		insideWindow: true,
		startsSubscriptionOf: undefined,
		facts: {
			foundBy: 'key',
			hadOtherClick: false,
			clickedAt: CLICKED,
			soldAt: NOW,
			paidAt: NOW,
			subscribedAt: undefined,
			trialBeganAt: undefined,
			windowDays: 30,
			partnerStatus: 'active',
			amountCents: 10_000,
			currency: 'USD',
			saleDay: '2026-10-11',
			renewalOfDay: undefined,
			rules: [rule],
		},
		earning: { kind: 'earned', ruleVersionId: 1, amountCents: 2_000, status: 'approved', holdUntil: NOW },
	});
});

describe('refused (contract, section 7):', () => {
	const noKey = { customerKey: undefined };
	const nobody = { byKey: undefined };
	const orphan = { ...click, partnerProgramId: null };
	const elsewhere = { ...click, programId: 2 };

	test.each<[what: string, asked: Case, code: SaleRefusal]>([
		['an unknown customer is not found', { sale: noKey, known: nobody }, 'sale_customer_not_found'],
		["another program's click is refused", { sale: noKey, known: { ...nobody, click: elsewhere } }, 'sale_customer_elsewhere'],
		["another program's click is refused even with an unknown key", { known: { ...nobody, click: elsewhere } }, 'sale_customer_elsewhere'],
		[
			"another program's click is refused even if it has a customer",
			{ known: { ...nobody, click: elsewhere, ofClick: { ...ofClick, programId: 2 } } },
			'sale_customer_elsewhere',
		],
		[
			'a click on a link without a program is refused',
			{ known: { ...nobody, click: { ...click, programId: null } } },
			'sale_customer_elsewhere',
		],
		['a click whose link lost its partner is refused', { sale: noKey, known: { ...nobody, click: orphan } }, 'partner_program_gone'],
		['such a click is refused even with an unknown key', { known: { ...nobody, click: orphan } }, 'partner_program_gone'],
		['a missing partner-program is refused', { known: { partners: [rival] } }, 'partner_program_gone'],
		['an ended partner-program is refused', { known: { partners: [rival, { ...partner, status: 'ended' }] } }, 'partner_program_gone'],
		["a new customer's missing partner-program is refused", { known: { ...nobody, click, partners: [partner] } }, 'partner_program_gone'],
		['an unattributed customer is refused', { known: { byKey: unattributed } }, 'customer_unattributed'],
		['an attribution without a click time is refused', { known: { byKey: { ...buyer, clickedAt: null } } }, 'customer_unattributed'],
		[
			'an attribution without a partner-program is refused',
			{ known: { byKey: { ...buyer, partnerProgramId: null } } },
			'customer_unattributed',
		],
		[
			'an unattributed buyer is refused even with a later click',
			{ known: { byKey: { ...unattributed, status: 'conversion' }, click } },
			'customer_unattributed',
		],
		[
			"another program's click does not attribute the customer",
			{ known: { byKey: unattributed, click: elsewhere } },
			'customer_unattributed',
		],
		[
			'a click whose link lost its partner does not attribute the customer',
			{ known: { byKey: unattributed, click: orphan } },
			'customer_unattributed',
		],
		['a payment before the click is refused', { at: { paidAt: CLICKED - MINUTE_MS - 1 } }, 'paid_before_click'],
		[
			"a payment before a new customer's click is refused",
			{ known: { ...nobody, click }, at: { paidAt: CLICKED + DAY_MS - MINUTE_MS - 1 } },
			'paid_before_click',
		],
		[
			'a subscription from before the click is refused',
			{ known: { subscription: { ...began, beganAt: CLICKED - MINUTE_MS - 1 } } },
			'subscribed_before_click',
		],
		[
			'a trial from before the click is refused',
			{ known: { subscription: { ...began, trialBeganAt: CLICKED - DAY_MS, carriesKeys: true } } },
			'subscribed_before_click',
		],
	])('%s', (_what, asked, code) => {
		expect(decide(asked)).toEqual({ kind: 'refused', code });
	});

	test('an unknown key is decided by the other programs', () => {
		expect(decide({ known: nobody })).toEqual({ kind: 'unknown', customerKey: 'a' });
		expect(decide({ sale: { customerKey: '' }, known: nobody })).toEqual({ kind: 'unknown', customerKey: '' });
		expect(decide({ known: { ...nobody, ofClick: { ...ofClick, programId: 2 } } })).toEqual({ kind: 'unknown', customerKey: 'a' });
	});

	test('of several reasons the first in this order is returned (decision 11)', () => {
		const gone = { partners: [] };
		const early = { paidAt: CLICKED - DAY_MS };
		const older = { subscription: { ...began, beganAt: CLICKED - DAY_MS } };
		expect(decide({ known: { byKey: unattributed, ...gone, ...older }, at: early })).toMatchObject({ code: 'customer_unattributed' });
		expect(decide({ known: { ...gone, ...older }, at: early })).toMatchObject({ code: 'paid_before_click' });
		expect(decide({ known: { ...gone, ...older } })).toMatchObject({ code: 'subscribed_before_click' });
		expect(decide({ known: gone, at: { paidAt: NOW + 99 * DAY_MS } })).toMatchObject({ code: 'partner_program_gone' });
	});
});

describe('the customer and the partner (decisions 3 and 4):', () => {
	test.each<[what: string, asked: Case, identity: object, partnerProgramId: number]>([
		['a known key counts, and its click is ignored', { known: { click, ofClick } }, known(buyer), 7],
		[
			'a known key counts even after a purchase',
			{ known: { byKey: { ...buyer, status: 'conversion' }, click } },
			known({ ...buyer, status: 'conversion' }),
			7,
		],
		["a known key counts even with another program's click", { known: { click: { ...click, programId: 2 } } }, known(buyer), 7],
		[
			"an unattributed customer gets the click's attribution",
			{ known: { byKey: unattributed, click } },
			known(unattributed, undefined, click),
			8,
		],
		['a click finds its customer', { sale: { customerKey: undefined }, known: { byKey: undefined, click, ofClick } }, known(ofClick), 8],
		["an unknown key is added to the click's customer", { known: { byKey: undefined, click, ofClick } }, known(ofClick, 'a'), 8],
		[
			"an unknown key is added to the click's customer even after the link has lost its partner",
			{ known: { byKey: undefined, click: { ...click, partnerProgramId: null }, ofClick } },
			known(ofClick, 'a'),
			8,
		],
		[
			'another key makes a second customer of the click',
			{ known: { byKey: undefined, click, ofClick: { ...ofClick, customerKey: 'b' } } },
			{ kind: 'new', customerKey: 'a', click },
			8,
		],
		[
			'a click without a lead makes a customer',
			{ sale: { customerKey: undefined }, known: { byKey: undefined, click } },
			{ kind: 'new', customerKey: undefined, click },
			8,
		],
	])('%s', (_what, asked, identity, partnerProgramId) => {
		const earning = { kind: 'earned', ruleVersionId: partnerProgramId === 7 ? 1 : 2 };
		expect(decide(asked)).toMatchObject({ kind: 'sold', identity, partnerProgramId, earning });
	});
});

describe('the time of the sale (decisions 8, 25 and 41):', () => {
	const ends = CLICKED + 30 * DAY_MS;
	const long = { now: ends + 60 * DAY_MS };
	const trial = { ...began, trialBeganAt: ends };

	test.each<[what: string, asked: Case, insideWindow: boolean]>([
		['at the end of the window it earns', { at: { now: ends } }, true],
		['after the window it does not', { at: { now: ends + 1 } }, false],
		['recorded late but paid in time it earns', { at: { now: ends + 1, paidAt: ends } }, true],
		['a shorter window counts', { of: { cookieWindowDays: 9 } }, false],
		["a new customer's window starts with the click", { known: { byKey: undefined, click }, at: { now: ends + DAY_MS } }, true],
		["a new customer's window ends too", { known: { byKey: undefined, click }, at: { now: ends + DAY_MS + 1 } }, false],
		[
			'a trial inside the window counts if the subscription has the keys',
			{ known: { subscription: { ...trial, carriesKeys: true } }, at: long },
			true,
		],
		[
			'a trial inside the window counts if the payment has the keys',
			{ known: { subscription: trial }, at: { ...long, carriesKeys: true } },
			true,
		],
		['a trial without the keys does not count', { known: { subscription: trial }, at: long }, false],
		[
			'a trial that began after the window does not count',
			{ known: { subscription: { ...trial, trialBeganAt: ends + 1, carriesKeys: true } }, at: long },
			false,
		],
		['keys without a trial do not count', { known: { subscription: { ...began, carriesKeys: true } }, at: long }, false],
		['keys without a subscription do not count', { at: { ...long, carriesKeys: true } }, false],
		[
			'a subscription without a trial does not count',
			{ known: { subscription: { ...began, beganAt: ends, carriesKeys: true } }, at: long },
			false,
		],
		['a subscription as old as the click is accepted', { known: { subscription: { ...began, beganAt: CLICKED - MINUTE_MS } } }, true],
		['an older trial without keys is accepted', { known: { subscription: { ...began, trialBeganAt: CLICKED - DAY_MS } } }, true],
	])('%s', (_what, asked, insideWindow) => {
		expect(sold(asked)).toMatchObject({ insideWindow, earning: { kind: insideWindow ? 'earned' : 'none' } });
	});

	test('everything but the window is counted from the time of recording', () => {
		const held = { known: { partners: [{ ...partner, rules: [{ ...rule, holdDays: 3 }] }] } };
		expect(sold({ ...held, at: { paidAt: NOW - 2 * DAY_MS } })).toMatchObject({
			saleDay: '2026-10-11',
			earning: { status: 'pending', holdUntil: NOW + 3 * DAY_MS },
		});
	});

	test("its day is the program's day", () => {
		const now = Date.UTC(2026, 9, 11, 23);
		expect(sold({ at: { now }, of: { timeZone: 'Europe/Berlin' } }).saleDay).toBe('2026-10-12');
		expect(sold({ at: { now }, of: { timeZone: 'America/New_York' } }).saleDay).toBe('2026-10-11');
	});
});

describe('what it earns (decisions 8, 11a and 20):', () => {
	const outside = { now: CLICKED + 99 * DAY_MS };
	const firstOnly = { partners: [{ ...partner, rules: [{ ...rule, recurringMonths: 0 }] }] };
	const flat: RuleTerms = { ...rule, ruleVersionId: 3, type: 'flat', basisPoints: null, amountCents: 500, currency: 'EUR' };
	const inEuro = { partners: [{ ...partner, rules: [flat] }] };
	const earned = { kind: 'earned' };

	test.each<[what: string, asked: Case, earning: object]>([
		['a suspended partner earns nothing', { known: { partners: [{ ...partner, status: 'suspended' }] } }, none('partner_suspended')],
		['without a rule it earns nothing', { known: { partners: [{ ...partner, rules: [] }] } }, none('no_rule')],
		['a renewal after the window earns', { known: renews('2026-10-02'), at: outside }, earned],
		[
			'a renewal on the day of the first sale is limited',
			{ known: { ...renews('2026-10-11'), ...firstOnly } },
			none('recurring_limit_reached'),
		],
		[
			'the limit counts days of the program',
			{ known: { ...renews('2026-12-08'), ...firstOnly }, at: outside },
			none('recurring_limit_reached'),
		],
		["another customer's renewal does not count", { known: renews('2026-10-02', 6), at: outside }, none('window_expired')],
		["an unknown customer's renewal does not count", { known: renews('2026-10-02', null), at: outside }, none('window_expired')],
		[
			"a new customer's sale is never a renewal",
			{
				known: {
					byKey: undefined,
					click,
					...renews('2026-10-02', null),
					...firstOnly,
					partners: [{ ...rival, rules: [{ ...rule, recurringMonths: 0 }] }],
				},
			},
			earned,
		],
		['a flat rule in another currency does not apply', { known: inEuro }, none('no_rule')],
		["a flat rule in the sale's currency applies", { sale: { currency: 'EUR' }, known: inEuro }, { ...earned, amountCents: 500 }],
		["a flat rule in the program's currency applies", { of: { currency: 'EUR' }, known: inEuro }, { ...earned, amountCents: 500 }],
	])('%s', (_what, asked, earning) => {
		expect(sold(asked).earning).toMatchObject(earning);
	});

	test("the sale's own currency takes precedence over the program's", () => {
		expect(sold({ sale: { currency: 'EUR' } }).currency).toBe('EUR');
		expect(sold({ of: { currency: 'EUR' } }).currency).toBe('EUR');
		expect(sold({ sale: { currency: 'JPY' }, of: { currency: 'EUR' } }).currency).toBe('JPY');
	});

	test.each<[what: string, asked: Case, startsSubscriptionOf: number | undefined]>([
		["a known customer's first sale does", { sale: { subscriptionId: 'sub' } }, 5],
		['it does even if another customer has a sale of it', { sale: { subscriptionId: 'sub' }, known: renews('2026-10-02', 6) }, 5],
		['a renewal does not', { sale: { subscriptionId: 'sub' }, known: renews('2026-10-02') }, undefined],
		['a sale without a subscription does not', {}, undefined],
		[
			"a new customer's sale does not, because nothing can race with it",
			{ sale: { subscriptionId: 'sub' }, known: { byKey: undefined, click } },
			undefined,
		],
	])('whether it starts its subscription: %s', (_what, asked, startsSubscriptionOf) => {
		expect(sold(asked).startsSubscriptionOf).toBe(startsSubscriptionOf);
	});
});
