import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, dayOf } from '../../../src/domain/calendar.ts';
import { type RuleTerms, SCOPES } from '../../../src/domain/commissions/commission.ts';
import { type DecisionFacts, factsOf, factsText, FOUND_BY, recompute } from '../../../src/domain/commissions/decision-facts.ts';
import { MAX_AMOUNT_CENTS } from '../../../src/domain/money.ts';
import {
	began,
	buyer,
	type Case,
	click,
	decide,
	NOW,
	ofClick,
	partner,
	rival,
	rule,
	sold,
	unattributed,
} from '../../support/sale-cases.ts';

const instants = fc.integer({ min: NOW - 400 * DAY_MS, max: NOW });
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const days = instants.map((instant) => dayOf(instant, 'UTC'));
const rules = (scope: RuleTerms['scope']): fc.Arbitrary<RuleTerms> =>
	fc
		.record({
			ruleVersionId: fc.integer({ min: 1 }),
			isFlat: fc.boolean(),
			value: fc.integer({ min: 0, max: 10_000 }),
			currency: fc.constantFrom('USD', 'EUR'),
			recurringMonths: fc.option(fc.integer({ min: 0, max: 120 })),
			holdDays: fc.integer({ min: 0, max: 365 }),
		})
		.map(({ isFlat, value, currency, ...terms }) =>
			isFlat
				? { ...terms, scope, type: 'flat', basisPoints: null, amountCents: value, currency }
				: { ...terms, scope, type: 'percent', basisPoints: value, amountCents: null, currency: null },
		);
const facts: fc.Arbitrary<DecisionFacts> = fc.record({
	foundBy: fc.constantFrom(...FOUND_BY),
	hadOtherClick: fc.boolean(),
	clickedAt: instants,
	soldAt: instants,
	paidAt: instants,
	subscribedAt: maybe(instants),
	trialBeganAt: maybe(instants),
	windowDays: fc.integer({ min: 1, max: 3_650 }),
	partnerStatus: fc.constantFrom('active' as const, 'suspended' as const),
	amountCents: fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }),
	currency: fc.constantFrom('USD', 'EUR', 'JPY'),
	saleDay: days,
	renewalOfDay: maybe(days),
	rules: fc.subarray([...SCOPES]).chain((scopes) => fc.tuple(...scopes.map(rules))),
});

test('stored facts lead to the same decision', () => {
	fc.assert(
		fc.property(facts, (decided) => {
			const stored = factsOf(factsText(decided));
			expect(stored).toEqual(decided);
			expect(stored && recompute(stored)).toEqual(recompute(decided));
		}),
	);
});

test('the facts of an ordinary sale are short, even with a rule of every scope', () => {
	const { facts: plain } = sold({});
	expect(factsText(plain).length).toBeLessThan(180);
	const every = SCOPES.map((scope) => ({ ...rule, ruleVersionId: 1_000_000, scope, recurringMonths: 12, holdDays: 30 }));
	expect(factsText({ ...plain, rules: every }).length).toBeLessThan(520);
});

test('facts are unknown for sales from before they were stored, or of a later version', () => {
	expect(factsOf(null)).toBeUndefined();
	expect(factsOf('{"v":3}')).toBeUndefined();
});

const outside = { now: NOW + 99 * DAY_MS };
test.each<[what: string, asked: Case]>([
	['by a known key', {}],
	['by a click', { sale: { customerKey: undefined }, known: { byKey: undefined, click, ofClick } }],
	['after the window', { at: outside }],
	['paid in time but recorded late', { at: { ...outside, paidAt: NOW } }],
	['that renews', { known: { renewed: [{ customerId: 5, firstDay: '2026-10-02' }] }, at: outside }],
	[
		'renewed past the limit',
		{
			known: { renewed: [{ customerId: 5, firstDay: '2026-10-02' }], partners: [{ ...partner, rules: [{ ...rule, recurringMonths: 0 }] }] },
		},
	],
	['of a trial', { known: { subscription: { ...began, trialBeganAt: NOW, carriesKeys: true } }, at: outside }],
	['of a suspended partner', { known: { partners: [{ ...partner, status: 'suspended' }] } }],
	['without a rule', { known: { partners: [{ ...partner, rules: [] }] } }],
])('a sale %s can be recalculated from its facts', (_what, asked) => {
	const { facts: decided, insideWindow, earning } = sold(asked);
	const stored = factsOf(factsText(decided));
	expect(stored && recompute(stored)).toEqual({ insideWindow, earning });
});

test.each<[what: string, asked: Case, foundBy: DecisionFacts['foundBy'], hadOtherClick: boolean]>([
	['a key alone', {}, 'key', false],
	['a key and another click', { known: { click, ofClick } }, 'key', true],
	['a key and its own click', { known: { click: { ...click, clickId: 'cust_1_1' } } }, 'key', false],
	["a key and another program's click", { known: { click: { ...click, programId: 2 } } }, 'key', false],
	["a key that gets the click's attribution", { known: { byKey: unattributed, click } }, 'key_taking_click', false],
	['the customer of a click', { known: { byKey: undefined, click, ofClick } }, 'click', false],
	['a click alone', { known: { byKey: undefined, click } }, 'new', false],
	['a further customer', { known: { byKey: undefined, click, ofClick: { ...ofClick, customerKey: 'b' } } }, 'new_further', false],
])('how the customer was found: %s', (_what, asked, foundBy, hadOtherClick) => {
	expect(sold(asked).facts).toMatchObject({ foundBy, hadOtherClick });
});

test('the facts contain nothing about the customer', () => {
	const personal = { ...buyer, customerKey: 'anna@shop.example', clickId: 'cust_secret' };
	const asked = { sale: { customerKey: 'anna@shop.example' }, known: { byKey: personal, click, partners: [partner, rival] } };
	const decision = decide(asked);
	expect(decision.kind === 'sold' && factsText(decision.facts)).not.toMatch(/anna|cust_|txn/);
});
