import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../src/domain/calendar.ts';
import { earn, type EarningSale, type RuleTerms, scopeOf } from '../../../src/domain/commissions/commission.ts';
import { MAX_AMOUNT_CENTS } from '../../../src/domain/money.ts';

const SALE: EarningSale = {
	amountCents: 10_000,
	currency: 'USD',
	soldAt: 1_000,
	saleDay: '2026-11-20',
	insideWindow: true,
	renewalOfDay: undefined,
	isPartnerActive: true,
};

function rule(terms: Partial<RuleTerms> = {}): RuleTerms {
	return {
		ruleVersionId: 1,
		scope: 'default',
		type: 'percent',
		basisPoints: 2_000,
		amountCents: null,
		currency: null,
		recurringMonths: null,
		holdDays: 0,
		...terms,
	};
}

test.each<[string, Partial<EarningSale>, RuleTerms[], string]>([
	['of a suspended partner', { isPartnerActive: false, insideWindow: false }, [], 'partner_suspended'],
	['outside the window', { insideWindow: false }, [rule()], 'window_expired'],
	['without a rule', {}, [], 'no_rule'],
	['with a flat rule in another currency only', {}, [rule({ type: 'flat', amountCents: 5, currency: 'EUR' })], 'no_rule'],
	['of a proration under a flat rule', { isProration: true }, [rule({ type: 'flat', amountCents: 5, currency: 'USD' })], 'proration'],
	['that renews past the limit', { renewalOfDay: '2026-10-20' }, [rule({ recurringMonths: 1 })], 'recurring_limit_reached'],
	['that renews a first payment only', { renewalOfDay: '2026-11-20' }, [rule({ recurringMonths: 0 })], 'recurring_limit_reached'],
])('a sale %s earns nothing', (_, sale, rules, reason) => {
	expect(earn({ ...SALE, ...sale }, rules)).toEqual({ kind: 'none', reason });
});

test.each<[string, Partial<EarningSale>, RuleTerms]>([
	['inside the window', {}, rule({ recurringMonths: 0 })],
	['of a proration under a percentage', { isProration: true }, rule()],
	['that renews outside the window', { insideWindow: false, renewalOfDay: '2020-01-01' }, rule()],
	['that renews on the last day', { insideWindow: false, renewalOfDay: '2026-10-21' }, rule({ recurringMonths: 1 })],
])('a sale %s earns', (_, sale, terms) => {
	expect(earn({ ...SALE, ...sale }, [terms])).toEqual({
		kind: 'earned',
		ruleVersionId: 1,
		amountCents: 2_000,
		status: 'approved',
		holdUntil: 1_000,
	});
});

test('a hold leaves the commission pending until it is over', () => {
	expect(earn(SALE, [rule({ holdDays: 30 })])).toMatchObject({ status: 'pending', holdUntil: 1_000 + 30 * DAY_MS });
});

test('the most specific rule applies, in any order of rules', () => {
	const rules = [
		rule({ ruleVersionId: 1, scope: scopeOf(null, null, null) }),
		rule({ ruleVersionId: 2, scope: scopeOf(null, null, 'pro') }),
		rule({ ruleVersionId: 3, scope: scopeOf(null, 5, null) }),
		rule({ ruleVersionId: 4, scope: scopeOf(null, 5, 'pro') }),
		rule({ ruleVersionId: 5, scope: scopeOf(7, null, null) }),
		rule({ ruleVersionId: 6, scope: scopeOf(7, null, 'pro') }),
	];
	fc.assert(
		fc.property(fc.shuffledSubarray(rules, { minLength: 1 }), (some) => {
			expect(earn(SALE, some)).toMatchObject({ ruleVersionId: Math.max(...some.map(({ ruleVersionId }) => ruleVersionId)) });
		}),
	);
});

test('a percentage is exact and rounded half up, even if the product exceeds 2^53', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }), fc.integer({ min: 0, max: 10_000 }), (amountCents, basisPoints) => {
			const earning = earn({ ...SALE, amountCents }, [rule({ basisPoints })]);
			const exact = (BigInt(amountCents) * BigInt(basisPoints) + 5_000n) / 10_000n;
			expect(earning).toMatchObject({ amountCents: Number(exact) });
		}),
		{ numRuns: 2_000 },
	);
});

test('a flat rule pays its amount for any sale', () => {
	const flat = rule({ type: 'flat', basisPoints: null, amountCents: 500, currency: 'USD' });
	expect(earn({ ...SALE, amountCents: 1 }, [flat])).toMatchObject({ amountCents: 500 });
});
