import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ruleFor, type RuleTerms, scopeOf } from '../../../src/domain/commissions/commission.ts';
import {
	exampleOf,
	headlineOf,
	moneyWords,
	type Offer,
	type OfferedRate,
	payoutWords,
	rowsOf,
} from '../../../src/domain/commissions/offer.ts';
import { ratesOf } from '../../../src/domain/commissions/rates.ts';
import type { Terms } from '../../../src/domain/commissions/terms.ts';

const percent = (basisPoints: number, recurringMonths: number | null, holdDays = 0): Terms => ({
	type: 'percent',
	basisPoints,
	amountCents: null,
	currency: null,
	recurringMonths,
	holdDays,
});
const flat = (amountCents: number, currency: string): Terms => ({
	type: 'flat',
	basisPoints: null,
	amountCents,
	currency,
	recurringMonths: 0,
	holdDays: 0,
});
const ofProduct = (productId: string, terms: Terms): OfferedRate => ({ ...terms, productId });
const offerOf = (rates: readonly OfferedRate[], { currency = 'USD', payoutMinimumCents = 0 } = {}): Offer => ({
	currency,
	rates,
	payoutMinimumCents,
});
const offer = (terms: Terms | undefined, of: { currency?: string; payoutMinimumCents?: number } = {}) =>
	offerOf(terms ? [{ ...terms, productId: null }] : [], of);

describe('the text of what a new partner earns', () => {
	test.each([
		[
			offer(percent(2000, 12)),
			'20% of every sale',
			'A sale of $100 earns you $20, and so does each later payment of a subscription for 12 months.',
		],
		[
			offer(percent(3350, 1)),
			'33.5% of every sale',
			'A sale of $100 earns you $33.50, and so does each later payment of a subscription for 1 month.',
		],
		[
			offer(percent(700, null), { currency: 'JPY' }),
			'7% of every sale',
			'A sale of ¥10,000 earns you ¥700, and so does each later payment of a subscription, as long as it goes on.',
		],
		[
			offer(percent(1000, 0), { currency: 'KWD' }),
			'10% of every sale',
			'A sale of KWD 100 earns you KWD 10. For a subscription, only the first payment counts.',
		],
		[
			offer(flat(1500, 'EUR')),
			'€15 for every sale in EUR',
			'Every sale in EUR earns you €15. For a subscription, only the first payment counts.',
		],
		[offer(undefined), 'By agreement', 'Commissions are agreed individually with each partner.'],
	])('%#', (given, headline, example) => {
		expect([headlineOf(given), exampleOf(given)].map((text) => text?.replaceAll('\u00a0', ' '))).toEqual([headline, example]);
	});
});

const general: OfferedRate = { ...percent(1200, 12, 14), productId: null };

test.each<[string, readonly OfferedRate[], string]>([
	['a product earns less', [ofProduct('mug', percent(300, null)), general], '12% of most sales; some products earn 3%'],
	[
		'products earn less and more',
		[ofProduct('mug', percent(300, null)), ofProduct('pen', percent(2200, null)), general],
		'12% of most sales; some products earn 3% to 22%',
	],
	[
		'products earn percentages and amounts',
		[ofProduct('mug', percent(300, null)), ofProduct('pen', flat(500, 'USD')), general],
		'12% of most sales; some products earn other amounts',
	],
	['only the hold of a product differs', [ofProduct('mug', percent(1200, 12, 60)), general], '12% of every sale'],
	['a currency has an amount', [{ ...flat(500, 'EUR'), productId: null }, general], '12% of most sales; sales in EUR earn €5'],
	['only some products earn', [ofProduct('mug', percent(300, null))], '3% for some sales; all others earn nothing'],
	[
		'the general rate is nothing',
		[ofProduct('mug', percent(300, null)), { ...percent(0, null), productId: null }],
		'3% for some sales; all others earn nothing',
	],
])('the headline never says “every” if %s', (_what, rates, headline) => {
	expect(headlineOf(offerOf(rates))).toBe(headline);
});

describe('the list of rates', () => {
	test('has a row for each, and one for what earns nothing', () => {
		expect(rowsOf({ rates: [ofProduct('mug', percent(300, 0)), ofProduct('pen', flat(500, 'USD')), general] })).toEqual([
			{ sales: 'Product mug', earned: '3% of the sale', renewals: 'the first payment', hold: 'at once' },
			{ sales: 'Product pen, sales in USD', earned: '$5', renewals: 'the first payment', hold: 'at once' },
			{ sales: 'All other sales', earned: '12% of the sale', renewals: 'payments of 12 months', hold: 'after 14 days' },
		]);
		expect(rowsOf({ rates: [ofProduct('mug', percent(300, 0))] }).at(-1)).toMatchObject({ sales: 'All other sales', earned: 'nothing' });
	});

	test('is cut after 50 products, of which the rest is one row', () => {
		const products = Array.from({ length: 60 }, (_, index) => ofProduct(`p${index}`, percent(100 * (index + 1), 0)));
		const rows = rowsOf({ rates: [...products, general] });
		expect(rows.slice(-2)).toMatchObject([{ sales: '10 more products', earned: '51% to 60%' }, { sales: 'All other sales' }]);
		expect(rows).toHaveLength(52);
	});
});

const anyTerms = fc.oneof(
	fc.constantFrom(0, 300, 1200, 2200).map((basisPoints) => percent(basisPoints, null)),
	fc.tuple(fc.constantFrom(300, 500), fc.constantFrom('USD', 'EUR')).map(([cents, currency]) => flat(cents, currency)),
);
const anyRule = fc.record({
	partnerId: fc.constantFrom(null, 1),
	groupId: fc.constantFrom(null, 1),
	productId: fc.constantFrom(null, 'mug', 'pen'),
	terms: anyTerms,
});
type AnyRule = typeof anyRule extends fc.Arbitrary<infer Rule> ? Rule : never;
const ratedOf = ({ partnerId, groupId, productId, terms }: AnyRule, index: number) => ({
	...terms,
	productId,
	scope: scopeOf(partnerId, groupId, productId),
	ruleVersionId: index,
});

test('no rule in force contradicts the headline or the list', () => {
	const scopes = fc.uniqueArray(anyRule, { maxLength: 8, selector: (rule) => ratedOf(rule, 0).scope + rule.productId });
	const anySale = fc.record({ productId: fc.constantFrom(null, 'mug', 'pen', 'cup'), currency: fc.constantFrom('USD', 'EUR', 'GBP') });
	fc.assert(
		fc.property(scopes, anySale, (rules, sale) => {
			const rated = rules.map(ratedOf);
			const fits = (rule: OfferedRate) =>
				(rule.productId === null || rule.productId === sale.productId) && (rule.type === 'percent' || rule.currency === sale.currency);
			const applied: RuleTerms | undefined = ruleFor(
				sale,
				rated.filter(({ productId }) => productId === null || productId === sale.productId),
			);
			const rates = ratesOf(rated);
			const offered = rates.findIndex(fits);
			expect(rates[offered]?.ruleVersionId).toBe(applied?.ruleVersionId);
			const row = rowsOf({ rates })[offered === -1 ? rates.length : offered];
			if (applied)
				expect(row?.earned).toBe(
					applied.type === 'percent'
						? `${(applied.basisPoints ?? 0) / 100}% of the sale`
						: moneyWords(applied.amountCents ?? 0, sale.currency),
				);
			else if (rates.length > 0) expect(row?.earned).toBe('nothing');

			const [, promised, currency] = /^(.*?) (?:of|for) every sale(?: in (.*))?$/.exec(headlineOf(offerOf(rates))) ?? [];
			if (promised === undefined || (currency !== undefined && currency !== sale.currency)) return;
			expect(row?.earned.replace(' of the sale', '')).toBe(promised);
		}),
	);
});

test('when it is paid, and from which amount', () => {
	expect(payoutWords(offer(percent(2000, 0)))).toBe('Your commission can be paid at once.');
	expect(payoutWords(offer(percent(2000, 0, 30), { payoutMinimumCents: 5_000 }))).toBe(
		'What a sale earns you can be paid after 30 days, unless it was refunded. A payout is $50 or more.',
	);
	expect(payoutWords(offer(undefined, { payoutMinimumCents: 250 }))).toBe(
		'Your commission can be paid at once. A payout is $2.50 or more.',
	);
});

test('money as people write it: without needless decimals', () => {
	expect([moneyWords(2_000, 'USD'), moneyWords(2_005, 'USD'), moneyWords(1_500, 'JPY'), moneyWords(123_456_700, 'USD')]).toEqual([
		'$20',
		'$20.05',
		'¥1,500',
		'$1,234,567',
	]);
});
