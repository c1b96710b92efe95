import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../src/domain/calendar.ts';
import { earn, SCOPES } from '../../../src/domain/commissions/commission.ts';
import { factsOf, factsText, recompute, recomputeLines } from '../../../src/domain/commissions/decision-facts.ts';
import { apportion, MAX_AMOUNT_CENTS } from '../../../src/domain/money.ts';
import { cartOf, linesByRule, MOST_PRODUCTS, productsOf, type SellingRule } from '../../../src/domain/commissions/sale-lines.ts';
import { type Case, NOW, partner, rule, sold } from '../../support/sale-cases.ts';

// Commissions of a cart are calculated by line (decision 53).

const sumOf = (cents: readonly number[]) => cents.reduce((sum, one) => sum + one, 0);
const amounts = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });
const products = fc.constantFrom('pro', 'gift', 'mug', undefined);
const line = fc.record({
	product_id: products,
	amount_cents: fc.oneof(fc.integer({ min: -500, max: 20_000 }), amounts),
	proration: fc.constantFrom(true, undefined),
});
const carts = fc.array(line, { minLength: 1, maxLength: 8 });
const anyRule: fc.Arbitrary<SellingRule> = fc
	.record({
		ruleVersionId: fc.integer({ min: 1, max: 1_000_000 }),
		product: fc.constantFrom('pro', 'gift', 'mug', null),
		whose: fc.constantFrom(0, 1, 2),
		isFlat: fc.boolean(),
		value: fc.integer({ min: 0, max: 10_000 }),
		currency: fc.constantFrom('USD', 'EUR'),
		recurringMonths: fc.constantFrom(null, 0, 2),
		holdDays: fc.constantFrom(0, 3, 30),
	})
	.map(({ product: productId, whose, isFlat, value, currency, ...terms }) => {
		const scope = SCOPES[whose * 2 + (productId === null ? 0 : 1)] ?? 'default';
		const rest = { ...terms, scope, productId };
		return isFlat
			? { ...rest, type: 'flat', basisPoints: null, amountCents: value, currency }
			: { ...rest, type: 'percent', basisPoints: value, amountCents: null, currency: null };
	});
/** At most one rule per scope and product, as in the database. */
const rules = fc.uniqueArray(anyRule, {
	selector: ({ scope, productId }) => `${scope} ${productId}`,
	maxLength: 9,
});
const uniqueRules = rules.map((all) => all.map((one, index) => ({ ...one, ruleVersionId: index + 1 })));

/** Evaluates a sale with these lines in a program whose rules apply by line. */
function soldWith(lines: unknown, { sale, known, ...rest }: Case & { readonly rules?: readonly SellingRule[] } = {}) {
	const { rules: inForce = partner.rules, ...of } = rest;
	const withRules = { partners: [{ ...partner, rules: inForce }], ...known };
	const lineItems = lines === undefined ? undefined : JSON.stringify(lines);
	return sold({ ...of, of: { rulesByLine: true, ...of.of }, sale: { ...sale, lineItems }, known: withRules });
}

test('parts sum to the whole exactly, and none is more than a cent off or below 0', () => {
	fc.assert(
		fc.property(amounts, fc.array(fc.integer({ min: 0, max: MAX_AMOUNT_CENTS }), { minLength: 1, maxLength: 9 }), (cents, weights) => {
			fc.pre(sumOf(weights) > 0);
			const parts = apportion(cents, weights);
			expect(sumOf(parts)).toBe(cents);
			for (const [index, part] of parts.entries()) {
				const off = BigInt(part) * BigInt(sumOf(weights)) - BigInt(cents) * BigInt(weights[index] ?? 0);
				expect(off < BigInt(sumOf(weights)) && -off < BigInt(sumOf(weights)) && part >= 0).toBe(true);
			}
		}),
	);
	expect(apportion(100, [1, 1, 1])).toEqual([34, 33, 33]);
	expect(apportion(1, [0, 1, 9])).toEqual([0, 0, 1]);
});

const giftAndMug = [
	{ product_id: 'giftcard', amount_cents: 9_000 },
	{ product_id: 'mug', amount_cents: 1_000 },
];
const noneForGifts: SellingRule[] = [
	{ ...rule, productId: null },
	{ ...rule, ruleVersionId: 2, scope: 'product', productId: 'giftcard', basisPoints: 0, holdDays: 30 },
];

test('each line has its own rule: 0 % for a gift card, 20 % for a mug', () => {
	const { earning, facts } = soldWith(giftAndMug, { rules: noneForGifts });
	expect(earning).toEqual({ kind: 'earned', ruleVersionId: 1, amountCents: 200, status: 'pending', holdUntil: NOW + 30 * DAY_MS });
	expect(facts.lines).toEqual([
		{ ruleVersionId: 2, baseCents: 9_000 },
		{ ruleVersionId: 1, baseCents: 1_000 },
	]);
	expect(JSON.parse(factsText(facts))).toMatchObject({
		v: 2,
		lines: [
			[2, 9_000, 0],
			[1, 1_000, 200],
		],
	});
	expect(factsText(facts)).not.toMatch(/mug|gift/);
});

test('a program without rules by line earns as before', () => {
	const { earning, facts } = soldWith(giftAndMug, { rules: noneForGifts, of: { rulesByLine: false } });
	expect(earning).toMatchObject({ amountCents: 2_000 });
	expect(JSON.parse(factsText(facts))).toMatchObject({ v: 1, rules: [[1, 'default', 2_000, null, null, 0]] });
});

test.each<[what: string, lines: unknown]>([
	['an object', { product_id: 'giftcard', amount_cents: 9_000 }],
	['an empty list', []],
	['a list in which a line has no amount_cents', [...giftAndMug, { product_id: 'mug' }]],
	['a list with a fraction', [{ product_id: 'giftcard', amount_cents: 90.5 }]],
	['a list with a text as amount', [{ product_id: 'giftcard', amount_cents: '9000' }]],
	['a list with null', [...giftAndMug, null]],
	['a list of free products', [{ product_id: 'giftcard', amount_cents: 0 }]],
	['a list of credits', [{ product_id: 'giftcard', amount_cents: -9_000 }]],
	['a list with an amount above the maximum', [{ product_id: 'giftcard', amount_cents: MAX_AMOUNT_CENTS + 1 }]],
])('%s counts as a sale without lines', (_what, lines) => {
	const asked = { rules: noneForGifts, sale: { productId: 'mug' } };
	expect(soldWith(lines, asked).facts).toEqual(soldWith(undefined, asked).facts);
});

test.each<[what: string, lines: object[], productId: string | undefined, cart: [string | undefined, number][]]>([
	[
		'scaled to the sale',
		[
			{ product_id: 'a', amount_cents: 300 },
			{ product_id: 'b', amount_cents: 100 },
		],
		undefined,
		[
			['a', 7_500],
			['b', 2_500],
		],
	],
	[
		"a line without a product takes the sale's product",
		[{ amount_cents: 100 }, { product_id: 'b', amount_cents: 300 }],
		'a',
		[
			['b', 7_500],
			['a', 2_500],
		],
	],
	['no line has a product', [{ amount_cents: 100 }], undefined, [[undefined, 10_000]]],
	['numbers as products', [{ product_id: 4711, amount_cents: 100 }], undefined, [['4711', 10_000]]],
	['a blank product is ignored', [{ product_id: ' ', amount_cents: 100 }], 'a', [['a', 10_000]]],
	[
		'a credit reduces its product',
		[
			{ product_id: 'a', amount_cents: -500 },
			{ product_id: 'a', amount_cents: 1_000 },
			{ product_id: 'b', amount_cents: 500 },
		],
		undefined,
		[
			['a', 5_000],
			['b', 5_000],
		],
	],
	[
		'a credit larger than its product removes it',
		[
			{ product_id: 'a', amount_cents: -500 },
			{ product_id: 'b', amount_cents: 2_000 },
		],
		undefined,
		[['b', 10_000]],
	],
])('lines: %s', (_what, lines, productId, cart) => {
	const found = cartOf({ lineItems: JSON.stringify(lines), productId, amountCents: 10_000 });
	expect(found?.map((product) => [product.productId, product.amountCents])).toEqual(cart);
});

test('a flat rule earns once for all its lines, and not at all if all of them are prorations', () => {
	const flat = { ...rule, type: 'flat' as const, basisPoints: null, amountCents: 500, currency: 'USD', productId: null };
	const course = { ...flat, ruleVersionId: 2, scope: 'product' as const, amountCents: 300, productId: 'course' };
	const lines = ['a', 'b', 'course'].map((product_id) => ({ product_id, amount_cents: 1_000 }));
	expect(soldWith(lines, { rules: [flat, course] }).earning).toMatchObject({ ruleVersionId: 1, amountCents: 800 });
	const upgraded = lines.map((one) => (one.product_id === 'course' ? { ...one, proration: true } : one));
	expect(soldWith(upgraded, { rules: [flat, course] }).earning).toMatchObject({ amountCents: 500 });
	expect(soldWith(upgraded, { rules: [course] }).earning).toEqual({ kind: 'none', reason: 'no_rule' });
	expect(soldWith(upgraded.slice(2), { rules: [course] }).earning).toEqual({ kind: 'none', reason: 'proration' });
});

test('if there are very many products, the smallest count as lines without a product', () => {
	const lines = Array.from({ length: MOST_PRODUCTS + 50 }, (_, index) => ({ product_id: `p${index}`, amount_cents: 1_000 + index }));
	const cart = cartOf({ lineItems: JSON.stringify(lines), productId: 'p0', amountCents: 1_000_000 });
	expect(cart).toHaveLength(MOST_PRODUCTS);
	expect(sumOf((cart ?? []).map(({ amountCents }) => amountCents))).toBe(1_000_000);
	expect(cart?.at(-1)?.productId).toBe('p0');
});

test('lines sum to the sale exactly, in any order', () => {
	fc.assert(
		fc.property(carts, amounts, products, uniqueRules, fc.func(fc.nat()), (lines, amountCents, productId, inForce, weightOf) => {
			const shuffled = lines.toSorted((a, b) => weightOf(lines.indexOf(a)) - weightOf(lines.indexOf(b)));
			const cart = cartOf({ lineItems: JSON.stringify(lines), productId, amountCents });
			if (cart) expect(sumOf(cart.map((product) => product.amountCents))).toBe(amountCents);
			if (cart) expect(sumOf(linesByRule(cart, 'USD', inForce).map(({ baseCents }) => baseCents))).toBe(amountCents);
			const [one, other] = [lines, shuffled].map((list) => soldWith(list, { rules: inForce, sale: { amountCents, productId } }));
			expect(one?.facts).toEqual(other?.facts);
			expect(one?.earning).toEqual(other?.earning);
		}),
	);
});

test('lines of one product together earn the same as a sale of that product', () => {
	const count = fc.integer({ min: 1, max: 5 });
	fc.assert(
		fc.property(products, amounts, amounts, count, uniqueRules, (productId, amountCents, lineCents, times, inForce) => {
			const lines = Array.from({ length: times }, () => ({ product_id: productId, amount_cents: lineCents }));
			const byLine = soldWith(lines, { rules: inForce, sale: { amountCents } }).earning;
			expect(byLine).toEqual(soldWith(undefined, { rules: inForce, sale: { amountCents, productId } }).earning);
		}),
	);
});

test('under rules for all products a cart earns the same as a sale without lines', () => {
	fc.assert(
		fc.property(carts, amounts, uniqueRules, (lines, amountCents, all) => {
			const inForce = all.filter(({ productId }) => productId === null);
			const whole = soldWith(undefined, { rules: inForce, sale: { amountCents } }).earning;
			const withoutProration = lines.map((one) => ({ ...one, proration: undefined }));
			expect(soldWith(withoutProration, { rules: inForce, sale: { amountCents } }).earning).toEqual(whole);
		}),
	);
});

test('the stored facts of a cart show what it earned, line by line', () => {
	const renewed = fc.constantFrom([], [{ customerId: 5, firstDay: '2026-10-02' }], [{ customerId: 5, firstDay: '2026-08-02' }]);
	fc.assert(
		fc.property(carts, amounts, uniqueRules, renewed, fc.boolean(), (lines, amountCents, inForce, renewals, isLate) => {
			const at = isLate ? { now: NOW + 99 * DAY_MS } : {};
			const { facts, earning } = soldWith(lines, { rules: inForce, sale: { amountCents }, at, known: { renewed: renewals } });
			const stored = factsOf(factsText(facts));
			expect(stored).toEqual(facts);
			expect(stored && recompute(stored).earning).toEqual(earning);
			const { lines: tuples = [] }: { lines?: [number | null, number, number][] } = JSON.parse(factsText(facts));
			if (tuples.length === 0) return;
			expect(sumOf(tuples.map(([, , earned]) => earned))).toBe(earning.kind === 'earned' ? earning.amountCents : 0);
			expect(recomputeLines(facts).map((part) => [part.ruleVersionId ?? null, part.baseCents])).toEqual(
				tuples.map(([id, base]) => [id, base]),
			);
		}),
	);
});

test('if no part earns, the largest one gives the reason', () => {
	const sale = { amountCents: 100, currency: 'USD', soldAt: 1, saleDay: '2026-11-20', insideWindow: false, isPartnerActive: true };
	const first = { ...rule, recurringMonths: 0 };
	const lines = [
		{ ruleVersionId: 1, baseCents: 60 },
		{ ruleVersionId: undefined, baseCents: 40 },
	];
	const renewal = { ...sale, renewalOfDay: '2026-10-20', lines };
	expect(earn(renewal, [first])).toEqual({ kind: 'none', reason: 'recurring_limit_reached' });
	expect(earn({ ...renewal, lines: lines.toReversed() }, [first])).toEqual({ kind: 'none', reason: 'no_rule' });
});

test('every product that may select a rule is queried', () => {
	const lineItems = JSON.stringify(giftAndMug);
	expect(productsOf({ lineItems, productId: 'mug', amountCents: 1 })).toEqual(['mug', 'giftcard']);
	expect(productsOf({ lineItems, linesAreDetail: true, productId: 'mug', amountCents: 1 })).toEqual(['mug']);
	expect(productsOf({ lineItems: undefined, productId: undefined, amountCents: 1 })).toEqual([]);
});
