import { expect, test } from 'vitest';
import type { RuleTerms } from '../../../src/domain/commissions/commission.ts';
import { type UncreditedSale, uncreditedReasonOf, uncreditedText } from '../../../src/domain/commissions/uncredited-sale.ts';

const RULE: RuleTerms = {
	ruleVersionId: 1,
	scope: 'default',
	type: 'percent',
	basisPoints: 2_000,
	amountCents: null,
	currency: null,
	recurringMonths: null,
	holdDays: 0,
};
const FACTS = { windowDays: 60, rules: [RULE], currency: 'USD' };

const reported = (sale: Partial<UncreditedSale>) => {
	const whole = { noCommissionReason: 'no_rule', isDuplicate: false, facts: FACTS, ...sale } as const;
	return [uncreditedReasonOf(whole), uncreditedText(whole)];
};

test.each<[Partial<UncreditedSale>, code: string, text: string]>([
	[
		{ noCommissionReason: 'window_expired' },
		'window_expired',
		'It was paid more than 60 days after the click, when the attribution window had ended',
	],
	[
		{ noCommissionReason: 'window_expired', facts: { ...FACTS, windowDays: 1 } },
		'window_expired',
		'It was paid more than 1 day after the click, when the attribution window had ended',
	],
	[{ noCommissionReason: 'window_expired', facts: undefined }, 'window_expired', 'It was paid after the attribution window had ended'],
	[
		{ noCommissionReason: 'recurring_limit_reached', facts: { ...FACTS, rules: [{ ...RULE, recurringMonths: 0 }] } },
		'recurring_limit_reached',
		'The program pays only for the first payment of a subscription. This was a renewal',
	],
	[
		{ noCommissionReason: 'recurring_limit_reached', facts: { ...FACTS, rules: [{ ...RULE, recurringMonths: 12 }] } },
		'recurring_limit_reached',
		'The program pays for renewals in the first 12 months of a subscription. This was a later one',
	],
	[
		{ noCommissionReason: 'recurring_limit_reached', facts: undefined },
		'recurring_limit_reached',
		'The program no longer pays for renewals of this subscription',
	],
	[
		{ noCommissionReason: 'proration' },
		'proration',
		'The program pays a fixed amount for first payments and regular renewals. This was a partial payment after a change of the subscription',
	],
	[{ noCommissionReason: 'partner_suspended' }, 'partner_suspended', 'Your membership was suspended when it was recorded'],
	[{ facts: { ...FACTS, rules: [] } }, 'no_rule', 'The program had no commission rule for it'],
	[{ facts: undefined }, 'no_rule', 'The program had no commission rule for it'],
	[{}, 'no_rule', "The program's commission rules were fixed amounts in currencies other than USD"],
	[{ isDuplicate: true }, 'duplicate', 'The same payment was recorded twice. The other record counts'],
	[{ noCommissionReason: 'test_mode', facts: undefined }, 'no_rule', 'The program had no commission rule for it'],
])('%j', (sale, code, text) => {
	expect(reported(sale)).toEqual([code, text]);
});
