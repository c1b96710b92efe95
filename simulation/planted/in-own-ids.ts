import { onlyOf, type PlantedFault } from './planted-fault.ts';

const NAMES = 'src/ledger/sale-id.ts';
const TRIGGERS = 'migrations/0077_ids_of_their_program_stay_apart.sql';

/** Order numbers are unique only within their program (decision 55). */
export const IN_OWN_IDS: readonly PlantedFault[] = onlyOf('custom', [
	{
		name: 'own ids: unique over all programs',
		why: 'the first shop that has an order 1001 keeps it from all others',
		edits: [
			{
				file: 'src/processor/inbox-event.ts',
				find: 'result.sender.hasOwnIds ? event.programId : 0',
				replace: 'result.sender.hasOwnIds ? 0 : 0',
			},
		],
	},
	{
		name: "own ids: another program's payment is taken for its own",
		why: 'the webhook looks for its ids in all programs',
		edits: [
			{
				file: 'src/payments/find-payment.ts',
				find: 'idScope === 0 ? sql`` : sql`WHERE s.program_id = ${programId}`',
				replace: 'idScope === 0 ? sql`` : sql`WHERE s.program_id <> -${programId}`',
			},
		],
	},
	{
		name: 'own ids: the backend does not know them',
		why: 'a call looks only for ids that are unique over all programs',
		edits: [{ file: NAMES, find: 'AND id_scope = ${programId}),', replace: 'AND id_scope = -${programId}),' }],
	},
	{
		name: "own ids: another program's sale comes first",
		why: 'the two places where an id may stand are asked in the wrong order',
		edits: [
			{
				file: NAMES,
				find: 'sql`coalesce(\n',
				replace:
					'sql`coalesce((SELECT id FROM affiliate_sale_events WHERE processor_event_id = ${id} AND is_test = ${test} AND id_scope = 0),\n',
			},
		],
	},
	{
		name: 'own ids: two sales of one payment in a program',
		why: 'the backend and the webhook report an order at the same time: the trigger is missing',
		edits: [
			{
				file: TRIGGERS,
				find: 'WHEN EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.processor_event_id AND',
				replace: 'WHEN 0 AND EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.processor_event_id AND',
			},
		],
	},
	{
		name: "own ids: the commission is of another program's sale",
		why: 'what a batch has recorded is found by its transaction_id alone',
		edits: [
			{
				file: NAMES,
				find: '		AND ${affiliateSaleEvents.idScope} = ${idScope})`;',
				replace: '		AND (1 OR ${affiliateSaleEvents.idScope} = ${idScope}) ORDER BY id LIMIT 1)`;',
			},
		],
	},
	{
		name: 'own ids: stored as ids of all programs',
		why: 'the sale forgets that its id is the program’s own',
		edits: [
			{
				file: 'src/payments/read-payment.ts',
				find: 'const sale = { ...saleOf(fact, payer), idScope: scope.idScope };',
				replace: "const sale = saleOf(fact, payer) as PaymentEvidence['sale'];",
			},
		],
	},
]);
