import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttributedClick } from '../../../src/domain/attribution/attribution.ts';
import { DAY_MS } from '../../../src/domain/calendar.ts';
import { clickTimeOf, formatClickId } from '../../../src/domain/attribution/click-id.ts';
import { type CouponVerdict, type SentCoupon } from '../../../src/domain/attribution/coupon.ts';
import { couponCodeOf } from '../../../src/domain/attribution/coupon-code.ts';
import { factsOf, factsText, recompute } from '../../../src/domain/commissions/decision-facts.ts';
import type { Buyer } from '../../../src/domain/commissions/sale-decision.ts';
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
	sold,
	unattributed,
} from '../../support/sale-cases.ts';
import { anyText } from '../../support/any-text.ts';

const ofRival: AttributedClick = {
	clickId: 'cust_9_9',
	clickedAt: NOW,
	referralLinkId: 12,
	partnerProgramId: 8,
	customers: 0,
	couponId: 3,
};
const theirs: SentCoupon = { id: 3, partnerProgramId: 8, click: ofRival };
const own: SentCoupon = { id: 4, partnerProgramId: 7, click: { ...ofRival, clickId: 'cust_8_8', partnerProgramId: 7, couponId: 4 } };
const nobody = { byKey: undefined };
const wins = { of: { couponWins: true } };
const firstClick = { ...click, partnerProgramId: 7 };

const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const withCoupon = (asked: Case, coupon: SentCoupon | 'unknown' | undefined) => decide({ ...asked, known: { ...asked.known, coupon } });
describe('a code', () => {
	test.each([
		['pat20', 'PAT20'],
		['  Pat 20\n', 'PAT 20'],
		['größe', 'GRÖSSE'],
		['e\u0301te', 'ÉTE'],
		['x'.repeat(64), 'X'.repeat(64)],
		['x'.repeat(65), undefined],
		['ß'.repeat(33), undefined],
		[' ', undefined],
		['a\u0000b', undefined],
		['\ud800', undefined],
	])('%j is %j', (text, code) => {
		expect(couponCodeOf(text)).toBe(code);
	});

	test('stays the same when normalized again', () => {
		fc.assert(
			fc.property(anyText(), (text) => {
				const code = couponCodeOf(text);
				if (code !== undefined) expect(couponCodeOf(code)).toBe(code);
			}),
		);
	});
});

test.each([-1, 0, NOW, Number.MAX_SAFE_INTEGER])('a click id can hold the instant nearest to %d', (instant) => {
	const id = formatClickId({ referralLinkId: 1, clickedAt: clickTimeOf(instant), nonce: 0, isTest: false }, 0);
	expect(id).toMatch(/^cust_/);
	expect(clickTimeOf(NOW)).toBe(NOW);
});

describe('the partner of a sale (decision 47):', () => {
	const outside = { ...firstClick, clickedAt: NOW - 31 * DAY_MS };
	const late = { ...firstClick, clickedAt: NOW + DAY_MS };
	test.each<[what: string, asked: Case, partnerProgramId: number, verdict: CouponVerdict, foundBy: string]>([
		['an attributed customer keeps the partner', { known: { coupon: theirs } }, 7, 'other', 'key'],
		['an attributed customer keeps the partner even if coupons take precedence', { ...wins, known: { coupon: theirs } }, 7, 'other', 'key'],
		[
			'a buyer keeps the partner even if coupons take precedence',
			{ ...wins, known: { byKey: { ...buyer, status: 'conversion' }, coupon: theirs } },
			7,
			'other',
			'key',
		],
		[
			"the click's own customer keeps the partner too",
			{
				...wins,
				sale: { customerKey: undefined },
				known: { ...nobody, click: firstClick, ofClick: { ...ofClick, partnerProgramId: 7 }, coupon: theirs },
			},
			7,
			'other',
			'click',
		],
		["the partner's own coupon is accepted", { known: { coupon: own } }, 7, 'own', 'key'],
		["an unknown customer goes to the coupon's partner", { known: { ...nobody, coupon: theirs } }, 8, 'attributed', 'new_by_coupon'],
		[
			"a sale without a key goes to the coupon's partner",
			{ sale: { customerKey: undefined }, known: { ...nobody, coupon: theirs } },
			8,
			'attributed',
			'new_by_coupon',
		],
		[
			"an unattributed customer goes to the coupon's partner",
			{ known: { byKey: unattributed, coupon: theirs } },
			8,
			'attributed',
			'key_taking_coupon',
		],
		['a click takes precedence over a coupon', { known: { ...nobody, click: firstClick, coupon: theirs } }, 7, 'other', 'new'],
		[
			"an unattributed customer's click takes precedence over a coupon",
			{ known: { byKey: unattributed, click: firstClick, coupon: theirs } },
			7,
			'other',
			'key_taking_click',
		],
		[
			'a coupon takes precedence if the program says so',
			{ ...wins, known: { ...nobody, click: firstClick, coupon: theirs } },
			8,
			'attributed',
			'new_by_coupon',
		],
		[
			"an unattributed customer's coupon takes precedence if the program says so",
			{ ...wins, known: { byKey: unattributed, click: firstClick, coupon: theirs } },
			8,
			'attributed',
			'key_taking_coupon',
		],
		["a click of the coupon's own partner is used", { ...wins, known: { ...nobody, click, coupon: theirs } }, 8, 'own', 'new'],
		[
			'an expired click does not take precedence',
			{ known: { ...nobody, click: outside, coupon: theirs } },
			8,
			'attributed',
			'new_by_coupon',
		],
		[
			'a click after the payment does not take precedence',
			{ known: { ...nobody, click: late, coupon: theirs } },
			8,
			'attributed',
			'new_by_coupon',
		],
		[
			'a click of another program does not take precedence',
			{ known: { ...nobody, click: { ...firstClick, programId: 2 }, coupon: theirs } },
			8,
			'attributed',
			'new_by_coupon',
		],
		[
			'a click whose link lost its partner does not take precedence',
			{ known: { ...nobody, click: { ...click, partnerProgramId: null }, coupon: theirs } },
			8,
			'attributed',
			'new_by_coupon',
		],
		['an unknown code changes nothing', { known: { coupon: 'unknown' } }, 7, 'unknown', 'key'],
		["a suspended partner's coupon changes nothing", { known: { coupon: { ...theirs, click: undefined } } }, 7, 'suspended', 'key'],
	])('%s', (_what, asked, partnerProgramId, verdict, foundBy) => {
		const decision = sold(asked);
		expect(decision).toMatchObject({ partnerProgramId, facts: { coupon: { verdict }, foundBy } });
		const isTheirs = verdict === 'attributed' || verdict === 'own';
		expect(decision.couponId).toBe(isTheirs ? decision.facts.coupon?.id : undefined);
		expect(decision.facts.hadOtherClick).toBe(verdict === 'attributed' && asked.known?.click?.programId === 1);
	});

	test.each<[what: string, asked: Case, code: string]>([
		['an unknown code alone', { sale: { customerKey: undefined }, known: { ...nobody, coupon: 'unknown' } }, 'sale_customer_not_found'],
		["a suspended partner's coupon", { known: { byKey: unattributed, coupon: { ...theirs, click: undefined } } }, 'customer_unattributed'],
		['a buyer without a partner', { known: { byKey: { ...unattributed, status: 'conversion' }, coupon: theirs } }, 'customer_unattributed'],
		[
			'a membership that has ended',
			{ known: { byKey: unattributed, coupon: theirs, partners: [partner, { ...rival, status: 'ended' }] } },
			'partner_program_gone',
		],
	])('refused as if there were no coupon: %s', (_what, asked, code) => {
		expect(decide(asked)).toEqual({ kind: 'refused', code });
	});
});

describe('the window does not apply to', () => {
	const outside = { now: NOW + 99 * DAY_MS };
	const older = { subscription: { ...began, beganAt: CLICKED - DAY_MS } };
	test.each<[what: string, asked: Case]>([
		["for the partner's own coupon", { known: { coupon: own }, at: outside }],
		["for a coupon whose partner's click came after the payment", { known: { coupon: own }, at: { paidAt: CLICKED - DAY_MS } }],
		['for a coupon in a subscription from before the click', { known: { byKey: unattributed, coupon: theirs, ...older } }],
	])('%s', (_what, asked) => {
		const decision = sold(asked);
		expect(decision).toMatchObject({ insideWindow: true, earning: { kind: 'earned' } });
		const stored = factsOf(factsText(decision.facts));
		expect(stored).toEqual(decision.facts);
		expect(stored && recompute(stored)).toEqual({ insideWindow: true, earning: decision.earning });
	});

	test("but to another partner's coupon it does", () => {
		expect(sold({ known: { coupon: theirs }, at: outside }).earning).toEqual({ kind: 'none', reason: 'window_expired' });
	});

	test('a renewal of a sale by coupon may belong to a subscription from before it', () => {
		const byCoupon = { ...buyer, clickedAt: NOW };
		const known = { byKey: byCoupon, ...older };
		const renewed = { customerId: 5, firstDay: '2026-10-11' };
		expect(decide({ known: { ...known, renewed: [renewed] }, at: outside })).toEqual({ kind: 'refused', code: 'subscribed_before_click' });
		const renewal = sold({ known: { ...known, renewed: [{ ...renewed, byCoupon: true }] }, at: outside });
		expect(renewal).toMatchObject({ insideWindow: false, earning: { kind: 'earned' } });
		expect(recompute(renewal.facts).earning).toEqual(renewal.earning);
	});
});

describe('in any case,', () => {
	const buyers = fc
		.record({ isLocked: fc.boolean(), status: fc.constantFrom('click' as const, 'lead' as const, 'conversion' as const) })
		.map(({ isLocked, status }): Buyer => ({ ...(isLocked ? buyer : unattributed), status }));
	const given = fc.constantFrom<SentCoupon | 'unknown'>(theirs, own, { ...theirs, click: undefined }, 'unknown');
	const cases = fc.record({
		of: fc.record({ couponWins: fc.boolean() }),
		sale: fc.record({ customerKey: maybe(fc.constant('a')) }),
		known: fc.record({
			byKey: maybe(buyers),
			click: maybe(fc.constantFrom(click, firstClick, { ...firstClick, programId: 2 })),
			ofClick: maybe(fc.constantFrom(ofClick, { ...ofClick, customerKey: 'b' })),
		}),
		at: fc.record({ now: fc.constantFrom(NOW, NOW + 99 * DAY_MS), paidAt: fc.constantFrom(NOW, CLICKED - DAY_MS) }),
	});

	test('a coupon never changes a locked attribution', () => {
		fc.assert(
			fc.property(cases, given, (asked, coupon) => {
				const [alone, beside] = [withCoupon(asked, undefined), withCoupon(asked, coupon)];
				if (beside.kind !== 'sold' || beside.identity.kind !== 'known' || beside.identity.customer.clickId === null) return;
				expect(beside.partnerProgramId).toBe(beside.identity.customer.partnerProgramId);
				expect(beside.identity.newClick).toBeUndefined();
				if (alone.kind === 'sold') expect(alone.identity).toEqual(beside.identity);
			}),
		);
	});

	test('a coupon refuses no sale, and changes nothing unless it attributes the sale', () => {
		fc.assert(
			fc.property(cases, given, (asked, coupon) => {
				const [alone, beside] = [withCoupon(asked, undefined), withCoupon(asked, coupon)];
				if (alone.kind === 'sold') expect(beside.kind).toBe('sold');
				const isByCoupon = beside.kind === 'sold' && beside.couponId !== undefined;
				if (beside.kind !== 'sold' || isByCoupon) return;
				const { coupon: _coupon, ...facts } = beside.facts;
				expect({ ...beside, facts }).toEqual(alone);
			}),
		);
	});

	test("a sale has one partner, and names only that partner's coupon", () => {
		fc.assert(
			fc.property(cases, given, (asked, coupon) => {
				const decision = withCoupon(asked, coupon);
				if (decision.kind !== 'sold' || decision.couponId === undefined || coupon === 'unknown') return;
				expect([decision.couponId, decision.partnerProgramId]).toEqual([coupon.id, coupon.partnerProgramId]);
				expect(decision.insideWindow).toBe(true);
			}),
		);
	});
});
