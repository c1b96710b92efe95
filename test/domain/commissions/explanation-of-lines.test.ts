import { expect, test } from 'vitest';
import { DAY_MS } from '../../../src/domain/calendar.ts';
import { explainSale, type SaleTimeline } from '../../../src/domain/commissions/explanation.ts';
import type { SellingRule } from '../../../src/domain/commissions/sale-lines.ts';
import { type Case, NOW, partner, rule } from '../../support/sale-cases.ts';
import { timelineOf } from '../../support/sale-story.ts';

// Explains what each line of a cart earned (decision 53).

const TIME = { now: NOW + DAY_MS, timeZone: 'UTC' };
const stepsOf = (story: SaleTimeline) => explainSale(story, TIME).steps.map(({ text }) => text);
const conclusionOf = (story: SaleTimeline) => explainSale(story, TIME).conclusion;

const lines = [
	{ product_id: 'giftcard', amount_cents: 9_000 },
	{ product_id: 'mug', amount_cents: 1_000 },
];
const gifts: SellingRule = { ...rule, ruleVersionId: 2, scope: 'product', basisPoints: 0, productId: 'giftcard' };
const byLine = (...rules: SellingRule[]): Case => ({
	of: { rulesByLine: true },
	sale: { lineItems: JSON.stringify(lines) },
	known: { partners: [{ ...partner, rules }] },
});
const lineRules = [
	{ ruleVersionId: 1, id: 4, version: 2, productId: null },
	{ ruleVersionId: 2, id: 9, version: 1, productId: 'giftcard' },
];
const decisionsOf = (asked: Case, more: Partial<SaleTimeline> = {}) =>
	explainSale(timelineOf(asked, { lineRules, ...more }), TIME)
		.steps.filter(({ kind }) => kind === 'decision')
		.map(({ text }) => text)
		.slice(2);
const head = 'The lines of its cart were scaled to 100.00 USD, and the rule for the product of each line was applied';

test('each part names its rule and what it earned', () => {
	expect(decisionsOf(byLine(rule, gifts))).toEqual([
		head,
		'Rule 9, version 1 (for the product giftcard) applied to 90.00 USD of it: 0 % of 90.00 USD is 0.00 USD',
		'Rule 4, version 2 (for all sales) applied to 10.00 USD of it: 20 % of 10.00 USD is 2.00 USD',
	]);
});

test('a flat rule, and a part without a rule', () => {
	const flat: SellingRule = { ...gifts, type: 'flat', basisPoints: null, amountCents: 150, currency: 'USD' };
	expect(decisionsOf(byLine(flat))).toEqual([
		head,
		'Rule 9, version 1 (for the product giftcard) applied to 90.00 USD of it: it pays 1.50 USD for each sale',
		'No commission rule in force applied to 10.00 USD of it',
	]);
});

test('parts that earn nothing', () => {
	const first: SellingRule = { ...gifts, recurringMonths: 0 };
	const renewal = { ...byLine(first, { ...rule, recurringMonths: 2 }), at: { now: NOW + 99 * DAY_MS } };
	const asked = { ...renewal, known: { ...renewal.known, renewed: [{ customerId: 5, firstDay: '2026-10-02' }] } };
	expect(decisionsOf(asked)).toEqual([
		head,
		'Rule 9, version 1 (for the product giftcard) applied to 90.00 USD of it, but the rule pays only for first payments',
		'Rule 4, version 2 (for all sales) applied to 10.00 USD of it, but the rule pays for renewals only in the first 2 months',
	]);
	expect(conclusionOf(timelineOf(asked, { lineRules }))).toContain('the rule pays only for first payments');
	expect(conclusionOf(timelineOf(byLine({ ...gifts, productId: 'mug', recurringMonths: 0 })))).toContain('earned');
	const nobody = timelineOf(byLine({ ...gifts, productId: 'other' }));
	expect(conclusionOf(nobody)).toBe('Sale 5 (order-1) earned nothing: no commission rule in force applied to the largest part of its cart');
});

test('a list that selected no rules says so', () => {
	const whole = timelineOf({}, { lineItems: JSON.stringify(lines) });
	expect(stepsOf(whole)).toContain('One rule applied to the whole sale. Its lines were not matched to separate rules');
	const shapeless = timelineOf({}, { lineItems: JSON.stringify([...lines, { product_id: 'mug' }]) });
	expect(stepsOf(shapeless)).toContain(
		'One rule applied to the whole sale. Rules by line need an integer amount_cents in every line, at least one of them above 0',
	);
	expect(stepsOf(timelineOf({}, { lineItems: '{"plan":"Pro"}' }))).toEqual(stepsOf(timelineOf({})));
});
