import type { PlantedFault } from './planted-fault.ts';

export const IN_PAYMENTS: readonly PlantedFault[] = [
	{
		name: 'payment: another id is another sale',
		why: 'the other ids of a payment are ignored',
		edits: [
			{
				file: 'src/payments/find-payment.ts',
				find: 'return sql`SELECT ${saleIdBy(sql`named.value`, programId, isTest)} FROM',
				replace:
					'return sql`SELECT (SELECT id FROM affiliate_sale_events WHERE processor_event_id = named.value AND is_test = ${Number(isTest)} AND id_scope IN (0, ${programId})) FROM',
			},
		],
	},
	{
		name: 'payment: own write taken for an earlier one',
		why: 'the retry of an event reports that another one recorded the sale',
		edits: [{ file: 'src/payments/plan-payment.ts', find: 'isNew: knownIds.some((id) => id.opId === opId),', replace: 'isNew: false,' }],
	},
	{
		name: 'payment: window ends at the current time',
		why: 'a late event costs the partner the sale',
		edits: [
			{
				file: 'src/payments/plan-payment.ts',
				find: 'paidAt: fact.paidAt, carriesKeys',
				replace: 'paidAt: ctx.now, carriesKeys',
			},
		],
	},
	{
		name: 'payment: an id can also be an alias',
		why: 'without the triggers, the backend and the processor record one payment twice',
		edits: [
			{
				file: 'migrations/0077_ids_of_their_program_stay_apart.sql',
				find: 'WHEN EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.alias AND',
				replace: 'WHEN 0 AND EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.alias AND',
			},
			{
				file: 'migrations/0077_ids_of_their_program_stay_apart.sql',
				find: 'WHEN EXISTS (SELECT 1 FROM sale_aliases WHERE alias = NEW.processor_event_id AND',
				replace: 'WHEN 0 AND EXISTS (SELECT 1 FROM sale_aliases WHERE alias = NEW.processor_event_id AND',
			},
		],
	},
	{
		name: 'payment: of any program',
		why: 'the sales of a payment are not limited to the program',
		edits: [
			{
				file: 'src/refunds/find-refundable.ts',
				find: '.where(and(condition, sql`+${affiliateSaleEvents.programId} = ${programId}`))',
				replace: '.where(condition)',
			},
		],
	},
	{
		name: 'duplicate: the ledger is not changed',
		why: 'the later sale is refunded, but its commission is not',
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: '? writeMovement(ctx, duplicate, { ...movement, moves }, source)',
				replace: '? (void source, [insertDuplicateOutbox(ctx, duplicate.id, opId, moves)])',
			},
		],
	},
	{
		name: 'duplicate: its reversals are lost',
		why: "the later sale's reversals are not copied to the earlier one",
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: 'duplicates.flatMap(({ reportedReversals }) => reportedReversals)',
				replace: 'duplicates.flatMap(() => [])',
			},
		],
	},
	{
		name: 'duplicate: its reports are lost',
		why: "the endpoint's reports for the later sale are ignored",
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: 'reportedOf([sale, ...duplicates])',
				replace: 'reportedOf([sale])',
			},
		],
	},
	{
		name: 'duplicate: a refund that was reported for both counts twice',
		why: 'the reports for both sales are added',
		edits: [
			{ file: 'src/domain/refunds/refunded-amount.ts', find: 'reportedRefundCents - again)', replace: 'reportedRefundCents - 0 * again)' },
		],
	},
	{
		name: 'duplicate: alias leads to it',
		why: 'a refund finds the sale that no longer counts',
		edits: [
			{
				file: 'src/ledger/sale-id.ts',
				find: 'SELECT coalesce(duplicate_of_sale_id, id) FROM affiliate_sale_events',
				replace: 'SELECT id FROM affiliate_sale_events',
			},
		],
	},
];
