import type { PlantedFault } from './planted-fault.ts';

export const IN_SALES: readonly PlantedFault[] = [
	{
		name: 'sale: batch split in two',
		why: 'the sale is committed before its commission and outbox rows',
		edits: [
			{
				file: 'src/sales/record-sale.ts',
				find: 'const answer = await write(ctx.db, [...writes, ...noteKeyUse(ctx, program)], { resumed, recorded });',
				replace: `for (const each of writes) await write(ctx.db, [each]);
				const answer = await write(ctx.db, noteKeyUse(ctx, program), { resumed, recorded });`,
			},
		],
	},
	{
		name: 'sale: credit deferred with waitUntil',
		why: 'the ledger entry is written after the answer',
		edits: [
			{ file: 'src/sales/plan-sale.ts', find: ', creditCommission(ctx, { ...name, opId }));', replace: '); void creditCommission;' },
			{
				file: 'src/sales/record-sale.ts',
				find: "import { commitPlan } from './plan.ts';",
				replace: "import { creditCommission } from './ledger.ts';\nimport { commitPlan } from './plan.ts';",
			},
			{
				file: 'src/sales/record-sale.ts',
				find: '	sendEffects(ctx, effects);',
				replace: `	for (const [, opId] of effects) ctx.defer(write(ctx.db, [creditCommission(ctx, { transactionId: sale.transactionId, idScope: 0, opId })]));
				sendEffects(ctx, effects);`,
			},
		],
	},
	{
		name: 'sale: own write taken for a duplicate',
		why: 'after a lost answer, the request that recorded the sale gets 409',
		edits: [{ file: 'src/sales/record-sale.ts', find: 'recorded && recorded.opId !== opId', replace: 'recorded' }],
	},
	{
		name: 'sale: owed commission answered as none',
		why: 'the failed commission is not reported if the answer of the sale alone is lost (found by this simulation)',
		edits: [
			{
				file: 'src/sales/record-sale.ts',
				find: 'return receiptOf(recorded);',
				replace: 'return receiptOf({ ...recorded, isOwed: false });',
			},
		],
	},
	{
		name: 'sale: looked up first, no UNIQUE',
		why: 'check-then-act: the index on transaction_id is not unique',
		edits: [
			{
				file: 'migrations/0076_ids_of_their_program.sql',
				find: 'CREATE UNIQUE INDEX `affiliate_sale_events_one_per_transaction`',
				replace: 'CREATE INDEX `affiliate_sale_events_one_per_transaction`',
			},
		],
	},
	{
		name: 'sale: two first sales of one subscription',
		why: 'two sales can both be the first payment, although only the first earns',
		edits: [
			{
				file: 'src/sales/write-sale.ts',
				find: 'startsSubscriptionOf ? unlessRenewal(columns, startsSubscriptionOf) : columns.opId',
				replace: 'columns.opId',
			},
		],
	},
	{
		name: 'sale: a race is a failure',
		why: 'an overtaken request fails instead of retrying',
		edits: [{ file: 'src/db/client.ts', find: 'if (!isOvertaken(error)) throw error;', replace: 'throw error;' }],
	},
	{
		name: 'window in seconds',
		why: 'a day counts as 86,400 ms',
		edits: [{ file: 'src/domain/attribution/attribution.ts', find: 'windowDays * DAY_MS', replace: '(windowDays * DAY_MS) / 1000' }],
	},
	{
		name: 'window ends early',
		why: 'the comparison is too strict',
		edits: [
			{
				file: 'src/domain/attribution/attribution.ts',
				find: 'soldAt - clickedAt <= windowDays',
				replace: 'soldAt - clickedAt < 0.9 * windowDays',
			},
		],
	},
	{
		name: 'renewal limited to the window',
		why: 'renewals are treated like first sales',
		edits: [
			{
				file: 'src/domain/commissions/commission.ts',
				find: 'if (!sale.insideWindow && sale.renewalOfDay === undefined)',
				replace: 'if (!sale.insideWindow)',
			},
		],
	},
	{
		name: 'renewal without limit',
		why: 'recurring_months is ignored',
		edits: [
			{
				file: 'src/domain/commissions/commission.ts',
				find: 'return rule.recurringMonths !== null && ',
				replace: 'return rule.recurringMonths === -1 && ',
			},
		],
	},
	{
		name: 'rule: least specific wins',
		why: 'the comparison is reversed',
		edits: [
			{
				file: 'src/domain/commissions/commission.ts',
				find: 'SCOPES.indexOf(b.scope) - SCOPES.indexOf(a.scope)',
				replace: 'SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope)',
			},
		],
	},
	{
		name: 'rule: group before partner',
		why: 'the two scopes are swapped',
		edits: [
			{
				file: 'src/domain/commissions/commission.ts',
				find: "'group', 'group_product', 'partner', 'partner_product'",
				replace: "'partner', 'partner_product', 'group', 'group_product'",
			},
		],
	},
	{
		name: 'rule: groups ignored',
		why: "a group's rules are not read for a sale",
		edits: [{ file: 'src/sales/find-sale.ts', find: '[isOfNobody, isOfPartner, isOfGroup]', replace: '[isOfNobody, isOfPartner]' }],
	},
	{
		name: "rule: a group's rule for everyone",
		why: 'the condition of a rule for everyone ignores the group',
		edits: [
			{
				file: 'src/sales/find-sale.ts',
				find: 'and(isNull(commissionRules.partnerId), isNull(commissionRules.groupId))',
				replace: 'isNull(commissionRules.partnerId)',
			},
		],
	},
	{
		name: 'rule: product before partner',
		why: 'the two scopes are swapped',
		edits: [
			{
				file: 'src/domain/commissions/commission.ts',
				find: "'product', 'group', 'group_product', 'partner', 'partner_product'",
				replace: "'group', 'partner', 'product', 'group_product', 'partner_product'",
			},
		],
	},
	{
		name: 'hold ignored',
		why: 'every commission is approved at once',
		edits: [{ file: 'src/domain/commissions/commission.ts', find: "rule.holdDays > 0 ? 'pending' : 'approved'", replace: "'approved'" }],
	},
	{
		name: 'hold released by any tick',
		why: 'the end of the hold is ignored',
		edits: [{ file: 'src/sales/release-holds.ts', find: ', lte(commissions.holdUntil, ctx.now)', replace: '' }],
	},
	{
		name: 'commission rounded down',
		why: 'floor instead of half up',
		edits: [{ file: 'src/domain/money.ts', find: '(2n * product + divisor) / (2n * divisor)', replace: 'product / divisor' }],
	},
	{
		name: 'commission by floating point',
		why: 'Math.round of a product beyond 2^53',
		edits: [
			{
				file: 'src/domain/money.ts',
				find: 'return proportionOf(cents, basisPoints, 10_000);',
				replace: 'return Math.round(cents * (basisPoints / 10_000));',
			},
		],
	},
	{
		name: "decision: facts without the payment's time",
		why: 'paid_at is not stored, so the window seems to end when the sale was recorded',
		edits: [
			{
				file: 'src/domain/commissions/decision-facts.ts',
				find: 'paid: facts.paidAt === facts.soldAt ? undefined : facts.paidAt,',
				replace: 'paid: undefined,',
			},
		],
	},
	{
		name: 'decision: facts with only the first rule',
		why: 'only the first matching rule is stored, which may not be the one that applied',
		edits: [
			{
				file: 'src/domain/commissions/decision-facts.ts',
				find: 'rules: facts.rules.map(tupleOf),',
				replace: 'rules: facts.rules.slice(0, 1).map(tupleOf),',
			},
		],
	},
];
