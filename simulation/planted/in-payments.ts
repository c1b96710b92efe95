import type { PlantedFault } from './planted-fault.ts';

export const IN_PAYMENTS: readonly PlantedFault[] = [
	{
		name: 'payment: another name is another sale',
		why: 'a further id of a payment is not asked for',
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
		name: 'payment: own sale taken for an earlier one',
		why: 'the retry of an event is told that another one recorded the sale',
		edits: [{ file: 'src/payments/plan-payment.ts', find: 'isNew: knownIds.some((id) => id.opId === opId),', replace: 'isNew: false,' }],
	},
	{
		name: 'payment: window held to now',
		why: 'an event that comes late costs the partner the sale',
		edits: [
			{
				file: 'src/payments/plan-payment.ts',
				find: 'paidAt: fact.paidAt, carriesKeys',
				replace: 'paidAt: ctx.now, carriesKeys',
			},
		],
	},
	{
		name: 'payment: no wall between ids and aliases',
		why: 'the backend and the processor record one payment at the same time: the triggers are missing',
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
		why: 'the sales of a payment are not held to the program',
		edits: [
			{
				file: 'src/refunds/find-refundable.ts',
				find: '.where(and(condition, sql`+${affiliateSaleEvents.programId} = ${programId}`))',
				replace: '.where(condition)',
			},
		],
	},
	{
		name: 'duplicate: the ledger is forgotten',
		why: 'the later sale of a payment is refunded, its commission stands',
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: '? writeMovement(ctx, duplicate, { ...movement, moves }, source)',
				replace: '? (void source, [insertDuplicateOutbox(ctx, duplicate.id, opId, moves)])',
			},
		],
	},
	{
		name: 'duplicate: what was told of it is lost',
		why: 'the refunds of the later sale are not those of the earlier one',
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
		why: 'what the endpoint said of the later sale is forgotten',
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: 'reportedOf([sale, ...duplicates])',
				replace: 'reportedOf([sale])',
			},
		],
	},
	{
		name: 'duplicate: a refund that was reported of both counts twice',
		why: 'what the endpoint said of the sales is added up',
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
