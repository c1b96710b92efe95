import type { PlantedFault } from './planted-fault.ts';

// Partners, late clicks, late attributions, currencies.

export const IN_DIMENSIONS: readonly PlantedFault[] = [
	{
		name: 'deltas: partner who joined ignored',
		why: 'a membership has no delta',
		edits: [
			{ file: 'src/partners/join-program.ts', find: '\t\t\tcountPartner(ctx, program, partnerId),\n', replace: '' },
			{ file: 'src/partners/join-program.ts', find: 'function countPartner(', replace: 'export function countPartner(' },
		],
	},
	{
		name: 'deltas: partner counted again',
		why: 'a partner who comes back is counted again',
		edits: [
			{
				file: 'src/partners/join-program.ts',
				find: '\n\t\tWHERE NOT EXISTS (SELECT 1 FROM partner_programs WHERE program_id = ${program.id} AND partner_id = ${idOfPartner})',
				replace: '',
			},
		],
	},
	{
		name: 'deltas: a redated partner stays on the old day',
		why: 'the new day is added, but the old one is not removed',
		edits: [
			{
				file: 'src/partners/date-partners.ts',
				find: "\t\t\t\tSELECT m.created_day AS day, -1 AS partners FROM ${misdated} AND m.created_day IS NOT NULL\n\t\t\t\tUNION ALL SELECT dated.value ->> 'day', 1 FROM ${misdated}",
				replace: "\t\t\t\tSELECT dated.value ->> 'day' AS day, 1 AS partners FROM ${misdated}",
			},
		],
	},
	{
		name: 'deltas: a redated partner has no delta',
		why: "the membership's day changes, but not the figures",
		edits: [{ file: 'src/partners/date-partners.ts', find: ') HAVING count(*) > 0`', replace: ') HAVING 0`' }],
	},
	{
		name: 'deltas: a partner with an unchanged day is counted again',
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
		name: 'breakdown: late click updates nothing',
		why: 'country and source are read only when the customer is created',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: '\t\t...updateCustomers(ctx, dated),\n', replace: '' }],
	},
	{
		name: 'deltas: late click has no delta',
		why: 'the customer gets the country, but the figures stay without one',
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
		name: 'deltas: late click leaves the customer as it is',
		why: 'the figures move to the country, but the customer gets it only together with others',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: 'iif(changes() > 0,', replace: 'iif(changes() > 1,' }],
	},
	{
		name: 'deltas: late click moves the customer alone',
		why: "the customer's sales stay without a country",
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'FROM affiliate_sale_events WHERE customer_id = c.id AND duplicate_of_sale_id IS NULL',
				replace: 'FROM affiliate_sale_events WHERE customer_id = c.id AND 0',
			},
		],
	},
	{
		name: 'deltas: late click leaves the commissions',
		why: 'sales move to the country, but commissions do not',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'WHERE s.customer_id = c.id AND s.duplicate_of_sale_id IS NULL',
				replace: 'WHERE s.customer_id = c.id AND 0',
			},
		],
	},
	{
		name: 'deltas: late click moves duplicates',
		why: 'duplicates move to the country too',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: 'FROM affiliate_sale_events WHERE customer_id = c.id AND duplicate_of_sale_id IS NULL',
				replace: 'FROM affiliate_sale_events WHERE customer_id = c.id',
			},
		],
	},
	{
		name: 'deltas: late click forgets a rejection',
		why: 'only refunds count as deducted',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: "iif(m.status = 'rejected', m.amount_cents, m.deducted_cents)",
				replace: 'm.deducted_cents',
			},
		],
	},
	{
		name: 'deltas: late click counts everything again',
		why: 'the totals get the history a second time',
		edits: [{ file: 'src/clicks/store-clicks.ts', find: "'onlyValues', json('true'), ", replace: '' }],
	},
	{
		name: 'deltas: late click applied again at each delivery',
		why: 'customers that have a country are updated again',
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
		name: 'deltas: customer updated in another batch',
		why: 'after a crash in between, the figures move but the customer does not',
		edits: [
			{
				file: 'src/clicks/store-clicks.ts',
				find: '\t\t...updateCustomers(ctx, dated),\n\t\t...passOnSubIds(ctx, dated),\n\t]);',
				replace: '\t]);\n\tfor (const statement of updateCustomers(ctx, dated)) await write(ctx.db, [statement]);',
			},
		],
	},
	{
		name: 'deltas: late attribution leaves the sign-up',
		why: 'the sign-up stays without a partner after a late attribution',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: '\t\tif (newClick) moves.push({ day, leads: 1, onlyValues: true });\n',
				replace: '',
			},
		],
	},
	{
		name: 'deltas: late attribution is another sign-up',
		why: 'the day counts the sign-up again',
		edits: [
			{
				file: 'src/domain/reporting/metric-deltas.ts',
				find: 'if (newClick) moves.push({ day, leads: 1, onlyValues: true });',
				replace: 'if (newClick) moves.push({ day, leads: 1 });',
			},
		],
	},
	{
		name: 'deltas: counts in the currency of that instant',
		why: "waiting deltas keep the program's old currency",
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
		why: 'the setting changes, but the counts keep the old currency',
		edits: [
			{ file: 'src/programs/update-program.ts', find: '\t\t\t...relabelCounts(ctx, programId, columns.currency),\n', replace: '' },
			{ file: 'src/programs/update-program.ts', find: 'function relabelCounts(', replace: 'export function relabelCounts(' },
		],
	},
	{
		name: 'currency: breakdown keeps the old one',
		why: 'only the daily rows are relabeled',
		edits: [
			{
				file: 'src/programs/update-program.ts',
				find: "['daily_performance', 'daily_breakdown'].map",
				replace: "['daily_performance'].map",
			},
		],
	},
	{
		name: 'deltas: under the values of another customer',
		why: "the program's newest customer counts as the buyer",
		edits: [
			{
				file: 'src/outbox/outbox.ts',
				find: 'FROM ${from} JOIN customers c ON c.id = s.customer_id`',
				replace: 'FROM ${from} JOIN customers c ON c.id = (SELECT max(id) FROM customers WHERE program_id = s.program_id)`',
			},
		],
	},
	{
		name: 'deltas: refund without its product',
		why: "a refund's row has no product",
		edits: [
			{
				file: 'src/outbox/outbox.ts',
				find: 'c.referral_link_id, s.product_id, c.country,',
				replace: "c.referral_link_id, iif(${kind} = 'sale_refunded', NULL, s.product_id), c.country,",
			},
		],
	},
	{
		name: "deltas: lead with its customer's old values",
		why: 'the outbox row is written before the customer',
		edits: [
			{
				file: 'src/leads/record-lead.ts',
				find: 'commitLead(ctx, [...writes, ...counted, ...noted]',
				replace: 'commitLead(ctx, [...counted, ...writes, ...noted]',
			},
		],
	},
	{
		name: 'deltas: customers have products',
		why: 'a first purchase is counted under its product',
		edits: [
			{
				file: 'src/reporting/waiting-deltas.ts',
				find: "return ofSales ? figureOf(column) : `iif(dimension.key = 'product', 0, ${figureOf(column)})`;",
				replace: 'return ofSales ? figureOf(column) : figureOf(column);',
			},
		],
	},
];
