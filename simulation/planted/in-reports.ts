import type { PlantedFault } from './planted-fault.ts';

export const IN_REPORTS: readonly PlantedFault[] = [
	{
		name: 'breakdown: late click tells nobody',
		why: 'country and source are looked up when the customer is made, and never again',
		edits: [{ file: 'src/tracking/store-clicks.ts', find: '		...tellCustomers(ctx, dated),\n', replace: '' }],
	},
	{
		name: 'breakdown: what was bought stays behind',
		why: 'where a late click tells the country, only the customer moves to it',
		edits: [
			{
				file: 'migrations/0011_duplicates_leave_figures.sql',
				find: "WHEN NEW.status = 'conversion' AND (NEW.partner_program_id",
				replace: 'WHEN 0 AND (NEW.partner_program_id',
			},
		],
	},
	{
		name: 'source: stored as told',
		why: 'the row of a click keeps the source that the visitor named, whatever it was counted under',
		edits: [
			{
				file: 'src/tracking/store-clicks.ts',
				find: '${countedSource(sql`click ->> 1`, sql`click ->> 6`, sql`click ->> 15`)}',
				replace: 'click ->> 15',
			},
		],
	},
	{
		name: 'source: each made-up one has a row',
		why: 'the sources of a day are not limited',
		edits: [
			{
				file: 'src/tracking/count-clicks.ts',
				find: 'iif(is_known OR nth <= room.sources, source, ${OTHER_SOURCES})',
				replace: 'source',
			},
		],
	},
	{
		name: 'source: limited per delivery',
		why: 'what the day has already is forgotten in the count',
		edits: [{ file: 'src/tracking/count-clicks.ts', find: '${settings.sourcesPerDay} - (', replace: '${settings.sourcesPerDay} - 0 * (' }],
	},
	{
		name: 'source: crowded out though known',
		why: 'a full day takes no click of a source that it has',
		edits: [{ file: 'src/tracking/count-clicks.ts', find: 'iif(is_known OR nth <=', replace: 'iif(nth <=' }],
	},
	{
		name: 'source: of crawlers too',
		why: 'a crawler tells where it came from like anybody',
		edits: [{ file: 'src/tracking/store-clicks.ts', find: 'job.isTest || job.isBot ? null', replace: 'job.isTest ? null' }],
	},
	{
		name: 'click counted at every delivery',
		why: 'only the insert asks whether the click is stored',
		edits: [{ file: 'src/tracking/store-clicks.ts', find: 'countClicks(ctx, fresh)', replace: 'countClicks(ctx, dated)' }],
	},
	{
		name: 'breakdown: ended partner loses its clicks',
		why: 'a link that lost its partner is asked whose it is',
		edits: [
			{
				file: 'migrations/0006_breakdown_upkeep.sql',
				find: 'UPDATE referral_links SET former_partner_program_id = OLD.partner_program_id WHERE id = NEW.id;',
				replace: 'SELECT 1;',
			},
		],
	},
	{
		name: 'breakdown: refund without its product',
		why: 'the product is not named where a sale is refunded',
		edits: [
			{
				file: 'migrations/0011_duplicates_leave_figures.sql',
				find: "coalesce(NEW.product_id, ''),\n		NEW.refunded_cents - OLD.refunded_cents",
				replace: "'',\n		NEW.refunded_cents - OLD.refunded_cents",
			},
		],
	},
	{
		name: 'breakdown: commission rejected, not deducted',
		why: 'only what was refunded counts as taken back',
		edits: [
			{
				file: 'migrations/0011_duplicates_leave_figures.sql',
				find: "iif(NEW.status = 'rejected', NEW.amount_cents, NEW.deducted_cents) - iif(OLD.status = 'rejected', OLD.amount_cents, OLD.deducted_cents)",
				replace: 'NEW.deducted_cents - OLD.deducted_cents',
			},
		],
	},
	{
		name: 'duplicate: stays in gross figures',
		why: 'a duplicate is reversed whole, so the net is right',
		edits: [
			{
				file: 'migrations/0011_duplicates_leave_figures.sql',
				find: 'WHEN NEW.is_test = 0 AND OLD.duplicate_of_sale_id IS NULL AND NEW.duplicate_of_sale_id IS NOT NULL',
				replace: 'WHEN 0',
			},
		],
	},
	{
		name: 'duplicate: its commission is taken back twice',
		why: 'what becomes of a commission is counted, whatever its sale is',
		edits: [
			{
				file: 'migrations/0011_duplicates_leave_figures.sql',
				find: '	AND (SELECT duplicate_of_sale_id FROM affiliate_sale_events WHERE id = NEW.sale_id) IS NULL\n',
				replace: '',
			},
		],
	},
	{
		name: 'duplicate: moves with its customer',
		why: 'all that a customer bought moves where a late click tells the country',
		edits: [
			{
				file: 'migrations/0011_duplicates_leave_figures.sql',
				find: 'WHERE customer_id = NEW.id AND is_test = 0 AND duplicate_of_sale_id IS NULL',
				replace: 'WHERE customer_id = NEW.id AND is_test = 0',
			},
		],
	},
];
