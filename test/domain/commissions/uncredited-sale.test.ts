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

const told = (sale: Partial<UncreditedSale>) => {
	const whole = { noCommissionReason: 'no_rule', isDuplicate: false, facts: FACTS, ...sale } as const;
	return [uncreditedReasonOf(whole), uncreditedText(whole)];
};

test.each<[Partial<UncreditedSale>, code: string, text: string]>([
	[
		{ noCommissionReason: 'window_expired' },
		'window_expired',
		'It was paid later than 60 days after the click, which is how long a sale is yours',
	],
	[
		{ noCommissionReason: 'window_expired', facts: { ...FACTS, windowDays: 1 } },
		'window_expired',
		'It was paid later than 1 day after the click, which is how long a sale is yours',
	],
	[
		{ noCommissionReason: 'window_expired', facts: undefined },
		'window_expired',
		'It was paid so long after the click that it is yours no more',
	],
	[
		{ noCommissionReason: 'recurring_limit_reached', facts: { ...FACTS, rules: [{ ...RULE, recurringMonths: 0 }] } },
		'recurring_limit_reached',
		'The program pays for the first payment of a subscription, and this was a renewal',
	],
	[
		{ noCommissionReason: 'recurring_limit_reached', facts: { ...FACTS, rules: [{ ...RULE, recurringMonths: 12 }] } },
		'recurring_limit_reached',
		'The program pays for the renewals of the first 12 months of a subscription, and this was a later one',
	],
	[
		{ noCommissionReason: 'recurring_limit_reached', facts: undefined },
		'recurring_limit_reached',
		'The program pays for no more renewals of this subscription',
	],
	[
		{ noCommissionReason: 'proration' },
		'proration',
		'The program pays a fixed amount for first payments and regular renewals, and this was the rest of a period after a change',
	],
	[{ noCommissionReason: 'partner_suspended' }, 'partner_suspended', 'Your membership was suspended when it was recorded'],
	[{ facts: { ...FACTS, rules: [] } }, 'no_rule', 'The program had no rate that applied to it'],
	[{ facts: undefined }, 'no_rule', 'The program had no rate that applied to it'],
	[{}, 'no_rule', "The program's rates were fixed amounts in other currencies than USD"],
	[{ isDuplicate: true }, 'duplicate', 'The same payment was recorded twice: the other record counts'],
	[{ noCommissionReason: 'test_mode', facts: undefined }, 'no_rule', 'The program had no rate that applied to it'],
])('%j', (sale, code, text) => {
	expect(told(sale)).toEqual([code, text]);
});
