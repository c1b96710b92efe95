import type { PlantedFault } from './planted-fault.ts';

// Faults in the dimensions of metric deltas: partners, late clicks, late attributions, currencies.

export const IN_MOVED_VALUES: readonly PlantedFault[] = [
	{
		name: 'moves: partner who joined forgotten',
		why: 'a membership moves nothing',
		edits: [
			{ file: 'src/partners/join-program.ts', find: '\t\t\tcountPartner(ctx, program, partnerId),\n', replace: '' },
			{ file: 'src/partners/join-program.ts', find: 'function countPartner(', replace: 'export function countPartner(' },
		],
	},
	{
		name: 'moves: partner counted again',
		why: 'whoever comes back joins once more',
		edits: [
			{
				file: 'src/partners/join-program.ts',
				find: '\n\t\tWHERE NOT EXISTS (SELECT 1 FROM partner_programs WHERE program_id = ${program.id} AND partner_id = ${idOfPartner})',
				replace: '',
			},
		],
	},
	{
		name: 'moves: dated anew, partner stays on the day before',
		why: 'the new day is added, the old one not taken off',
		edits: [
			{
				file: 'src/partners/date-partners.ts',
				find: "\t\t\t\tSELECT m.created_day AS day, -1 AS partners FROM ${misdated} AND m.created_day IS NOT NULL\n\t\t\t\tUNION ALL SELECT dated.value ->> 'day', 1 FROM ${misdated}",
				replace: "\t\t\t\tSELECT dated.value ->> 'day' AS day, 1 AS partners FROM ${misdated}",
			},
		],
	},
	{
		name: 'moves: dated anew, nothing moves',
		why: 'the membership has another day, the figures have not',
		edits: [{ file: 'src/partners/date-partners.ts', find: ') HAVING count(*) > 0`', replace: ') HAVING 0`' }],
	},
	{
		name: 'moves: dated anew, who has that day already is counted',
		why: 'the day is not compared',
		edits: [
			{
				file: 'src/partners/date-partners.ts',
				find: "\n\t\tWHERE m.created_day IS NOT dated.value ->> 'day'`",
				replace: '\n\t\tWHERE true`',
			},
			{
				file: 'src/partners/date-partners.ts',
				find: 'FROM ${misdated} AND m.created_day IS NOT NULL',
				replace: "FROM ${misdated} AND m.created_day IS NOT NULL AND m.created_day <> dated.value ->> 'day'",
			},
		],
	},
	{
		name: 'breakdown: late click tells nobody',
		why: 'country and source are looked up when the customer is made, and never again',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: '\t\t...updateCustomers(ctx, dated),\n', replace: '' }],
	},
	{
		name: 'moves: late click moves nothing',
		why: 'the customer takes its country, the figures stay under none',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'CROSS JOIN customers AS c CROSS JOIN affiliate_click_events AS stored WHERE ${isUnreported}`),',
				replace: 'CROSS JOIN customers AS c CROSS JOIN affiliate_click_events AS stored WHERE 0`),',
			},
			{ file: 'src/clicks/store-clicks.ts', find: "iif(changes() > 0, ${clickIds}, '[]')", replace: '${clickIds}' },
		],
	},
	{
		name: 'moves: late click leaves the customer untold',
		why: 'the figures move to its country, and the customer takes it only where others of the delivery do',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'iif(changes() > 0,', replace: 'iif(changes() > 1,' }],
	},
	{
		name: 'moves: late click moves the customer alone',
		why: 'where a late click tells the country, what was bought stays under none',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'FROM affiliate_sale_events WHERE customer_id = c.id AND duplicate_of_sale_id IS NULL',
				replace: 'FROM affiliate_sale_events WHERE customer_id = c.id AND 0',
			},
		],
	},
	{
		name: 'moves: late click leaves the commissions',
		why: 'what was bought moves, what it earned does not',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'WHERE s.customer_id = c.id AND s.duplicate_of_sale_id IS NULL',
				replace: 'WHERE s.customer_id = c.id AND 0',
			},
		],
	},
	{
		name: 'moves: late click moves duplicates',
		why: 'all that a customer bought moves where a late click tells the country',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'FROM affiliate_sale_events WHERE customer_id = c.id AND duplicate_of_sale_id IS NULL',
				replace: 'FROM affiliate_sale_events WHERE customer_id = c.id',
			},
		],
	},
	{
		name: 'moves: late click forgets a rejection',
		why: 'only what was refunded counts as taken back',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: "iif(m.status = 'rejected', m.amount_cents, m.deducted_cents)",
				replace: 'm.deducted_cents',
			},
		],
	},
	{
		name: 'moves: late click counts all again',
		why: 'the totals have a history that they had',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: "'onlyValues', json('true'), ", replace: '' }],
	},
	{
		name: 'moves: late click, told again at each delivery',
		why: 'whoever knows the country is told it all the same',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'c.click_id = named.value AND c.country IS NULL AND c.source IS NULL',
				replace: 'c.click_id = named.value',
			},
			{
				file: 'src/clicks/store-clicks.ts',
				find: "SELECT c.program_id, 'click:' || c.id,",
				replace: "SELECT c.program_id, 'click:' || c.id || ':' || c.revision,",
			},
		],
	},
	{
		name: 'moves: customer told in another batch',
		why: 'a crash between leaves the figures moved and the customer where it was',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: '\t\t...updateCustomers(ctx, dated),\n\t]);',
				replace: '\t]);\n\tfor (const statement of updateCustomers(ctx, dated)) await write(ctx.db, [statement]);',
			},
		],
	},
	{
		name: 'moves: late attribution leaves the signup',
		why: "a customer who turns out to be a partner's signed up under none",
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\t\tif (newClick) moves.push({ day, leads: 1, onlyValues: true });\n',
				replace: '',
			},
		],
	},
	{
		name: 'moves: late attribution is another signup',
		why: 'the day counts the signup again',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'if (newClick) moves.push({ day, leads: 1, onlyValues: true });',
				replace: 'if (newClick) moves.push({ day, leads: 1 });',
			},
		],
	},
	{
		name: 'moves: counts in the currency of the moment',
		why: 'what waits keeps the currency that the program had',
		edits: [
			{
				file: 'src/leads/lead-outbox.ts',
				find: "'lead_recorded', id, ${params.moves},",
				replace:
					"'lead_recorded', id,\n\t\t\t(SELECT json_group_array(json_set(value, '$.currency', (SELECT currency FROM programs WHERE id = ${params.programId}))) FROM json_each(${params.moves})),",
			},
		],
	},
	{
		name: 'currency: daily rows keep the old one',
		why: 'the setting changes, what was counted stands in the old currency',
		edits: [
			{ file: 'src/programs/update-program.ts', find: '\t\t\t...relabelCounts(ctx, programId, columns.currency),\n', replace: '' },
			{ file: 'src/programs/update-program.ts', find: 'function relabelCounts(', replace: 'export function relabelCounts(' },
		],
	},
	{
		name: 'currency: breakdown keeps the old one',
		why: 'only the daily rows move along',
		edits: [
			{
				file: 'src/programs/update-program.ts',
				find: "['daily_performance', 'daily_breakdown'].map",
				replace: "['daily_performance'].map",
			},
		],
	},
	{
		name: 'moves: under the values of another customer',
		why: 'the newest of the program is taken for the one who bought',
		edits: [
			{
				file: 'src/outbox/outbox.ts',
				find: 'FROM ${from} JOIN customers c ON c.id = s.customer_id`',
				replace: 'FROM ${from} JOIN customers c ON c.id = (SELECT max(id) FROM customers WHERE program_id = s.program_id)`',
			},
		],
	},
	{
		name: 'moves: refund without its product',
		why: 'the product is not named where a sale is refunded',
		edits: [
			{
				file: 'src/outbox/outbox.ts',
				find: 'c.referral_link_id, s.product_id, c.country,',
				replace: "c.referral_link_id, iif(${kind} = 'sale_refunded', NULL, s.product_id), c.country,",
			},
		],
	},
	{
		name: 'moves: lead under the values of before',
		why: 'the row is written before its customer is',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: 'commitLead(ctx, [...writes, ...counted, ...noted]',
				replace: 'commitLead(ctx, [...counted, ...writes, ...noted]',
			},
		],
	},
	{
		name: 'moves: customers have products',
		why: 'a first purchase counts under what was bought',
		edits: [
			{
				file: 'src/reporting/waiting-deltas.ts',
				find: "return ofSales ? figureOf(column) : `iif(dimension.key = 'product', 0, ${figureOf(column)})`;",
				replace: 'return ofSales ? figureOf(column) : figureOf(column);',
			},
		],
	},
];
