import { onlyOf, type PlantedFault } from './planted-fault.ts';

const NAMES = 'src/ledger/sale-id.ts';
const TRIGGERS = 'migrations/0077_ids_of_their_program_stay_apart.sql';

/** Order numbers are unique only within their program (decision 55). */
export const IN_OWN_IDS: readonly PlantedFault[] = onlyOf('custom', [
	{
		name: 'own ids: unique across programs',
		why: 'the first shop with an order 1001 blocks all others',
		edits: [
			{
				file: 'src/processor/inbox-event.ts',
				find: 'result.sender.hasOwnIds ? event.programId : 0',
				replace: 'result.sender.hasOwnIds ? 0 : 0',
			},
		],
	},
	{
		name: "own ids: another program's payment counts as its own",
		theme: 'orders',
		why: 'the webhook searches its ids in all programs',
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
		why: 'a call searches only ids that are unique across programs',
		edits: [{ file: NAMES, find: 'AND id_scope = ${programId}),', replace: 'AND id_scope = -${programId}),' }],
	},
	{
		name: "own ids: another program's sale wins",
		theme: 'orders',
		why: 'the two scopes of an id are searched in the wrong order',
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
		why: 'without the trigger, the backend and the webhook record an order twice',
		edits: [
			{
				file: TRIGGERS,
				find: 'WHEN EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.processor_event_id AND',
				replace: 'WHEN 0 AND EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.processor_event_id AND',
			},
		],
	},
	{
		name: "own ids: the commission belongs to another program's sale",
		theme: 'orders',
		why: 'the batch finds its sale by transaction_id alone',
		edits: [
			{
				file: NAMES,
				find: '		AND ${affiliateSaleEvents.idScope} = ${idScope})`;',
				replace: '		AND (1 OR ${affiliateSaleEvents.idScope} = ${idScope}) ORDER BY id LIMIT 1)`;',
			},
		],
	},
	{
		name: 'own ids: stored as global ids',
		why: 'the sale loses the scope of its id',
		edits: [
			{
				file: 'src/payments/read-payment.ts',
				find: 'const sale = { ...saleOf(fact, payer), idScope: scope.idScope };',
				replace: "const sale = saleOf(fact, payer) as PaymentEvidence['sale'];",
			},
		],
	},
]);
