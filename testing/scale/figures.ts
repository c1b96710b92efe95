// The daily rows, from the raw rows.

interface Counted {
	/** A query for rows with `program_id`, `day`, `currency` and the columns of the breakdowns. */
	readonly from: string;
	readonly currency: string;
	/** SQL by column. */
	readonly figures: Readonly<Record<string, string>>;
	/** Only daily_performance has these. */
	readonly totals?: Readonly<Record<string, string>>;
	readonly hasProduct?: true;
}

const PROGRAMS_CURRENCY = '(SELECT currency FROM programs WHERE id = program_id)';

const COUNTED: readonly Counted[] = [
	{
		from: 'SELECT program_id, click_day AS day, referral_link_id, country, source FROM affiliate_click_events WHERE is_test = 0 AND is_bot = 0',
		currency: PROGRAMS_CURRENCY,
		figures: { clicks: 'count(*)' },
	},
	{
		from: 'SELECT program_id, signup_date AS day, referral_link_id, country, source, status FROM customers',
		currency: PROGRAMS_CURRENCY,
		figures: { leads: 'count(*)' },
		totals: { open_leads: "sum(status = 'lead')" },
	},
	{
		from: 'SELECT program_id, first_purchase_date AS day, referral_link_id, country, source FROM customers WHERE first_purchase_date IS NOT NULL',
		currency: PROGRAMS_CURRENCY,
		figures: { conversions: 'count(*)' },
	},
	{
		from: 'SELECT s.*, s.sale_day AS day, c.referral_link_id, c.country, c.source FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id',
		currency: 'currency',
		figures: { sales: 'count(*)', revenue_cents: 'sum(amount_cents)', refunded_cents: 'sum(refunded_cents)' },
		hasProduct: true,
	},
	{
		from: `SELECT m.program_id, m.created_day AS day, m.currency, m.amount_cents, iif(m.status = 'rejected', m.amount_cents, m.deducted_cents) AS taken,
			s.product_id, c.referral_link_id, c.country, c.source
			FROM commissions m JOIN affiliate_sale_events s ON s.id = m.sale_id JOIN customers c ON c.id = s.customer_id`,
		currency: 'currency',
		figures: { commission_cents: 'sum(amount_cents)', deducted_cents: 'sum(taken)' },
		hasProduct: true,
	},
];

const DIMENSIONS: Readonly<Record<string, string>> = {
	link: 'CAST(referral_link_id AS TEXT)',
	country: 'country',
	source: 'source',
	product: 'product_id',
};

export function fillFigures(): string[] {
	return [
		...COUNTED.map((counted) => count(counted, { ...counted.figures, ...counted.totals })),
		count(
			{ from: 'SELECT program_id, created_day AS day FROM partner_programs', currency: PROGRAMS_CURRENCY, figures: {} },
			{ partners: 'count(*)' },
		),
		...Object.entries(DIMENSIONS).flatMap(([dimension, value]) =>
			COUNTED.filter(({ hasProduct }) => dimension !== 'product' || hasProduct).map((counted) => breakDown(counted, dimension, value)),
		),
	];
}

function count({ from, currency }: Counted, figures: Readonly<Record<string, string>>): string {
	return `INSERT INTO daily_performance (program_id, day, currency, ${Object.keys(figures).join(', ')})
		SELECT program_id, day, ${currency} AS money, ${Object.values(figures).join(', ')} FROM (${from}) WHERE true GROUP BY program_id, day, money
		ON CONFLICT (program_id, day, currency) DO UPDATE SET ${setTo(figures)}`;
}

function breakDown({ from, currency, figures }: Counted, dimension: string, value: string): string {
	return `INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, ${Object.keys(figures).join(', ')})
		SELECT program_id, '${dimension}', day, ${value} AS under, ${currency} AS money, ${Object.values(figures).join(', ')} FROM (${from})
		WHERE coalesce(${value}, '') <> '' GROUP BY program_id, day, under, money
		ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET ${setTo(figures)}`;
}

function setTo(figures: Readonly<Record<string, string>>): string {
	return Object.keys(figures)
		.map((column) => `${column} = excluded.${column}`)
		.join(', ');
}
