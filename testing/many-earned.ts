// Thousands of commissions, approved or on hold, with their sales and ledger entries, for tests of payouts and decisions.

export interface ManyEarned {
	readonly programId: number;
	/** New partners, who share the commissions evenly. */
	readonly partners: number;
	readonly commissions: number;
	/** Distinguishes these partners and sales from all others. */
	readonly prefix: string;
	readonly now: number;
	/** Commissions are 1.00, 2.00 and so on, up to this amount; by default up to 50.00. */
	readonly dollars?: number;
	/** By default, they are approved. */
	readonly holdUntil?: number;
}

/** Statements for one batch. Triggers run as usual. */
export function manyEarned({ programId, partners, commissions, prefix, now, dollars = 50, holdUntil }: ManyEarned): string[] {
	const day = new Date(now).toISOString().slice(0, 10);
	const own = `(SELECT id FROM partners WHERE email LIKE '${prefix}-%')`;
	const ofProgram = `SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM partner_programs WHERE program_id = ${programId} AND partner_id IN ${own}`;
	const ownSales = `FROM affiliate_sale_events s WHERE s.program_id = ${programId} AND s.processor_event_id LIKE '${prefix}-%'`;
	return [
		`${numbers(partners)} INSERT INTO partners (workspace_id, name, email, created_at)
			SELECT (SELECT workspace_id FROM programs WHERE id = ${programId}), printf('Partner %05d', i), printf('${prefix}-%05d@partners.example', i), ${now} FROM n`,
		`INSERT INTO partner_programs (program_id, partner_id, status, created_at, created_day)
			SELECT ${programId}, id, 'active', ${now}, '${day}' FROM partners WHERE id IN ${own} ORDER BY id`,
		`INSERT INTO customers (program_id, customer_key, status, signup_date, first_purchase_date, created_at)
			VALUES (${programId}, '${prefix}-customer', 'conversion', '${day}', '${day}', ${now})`,
		`${numbers(commissions)} INSERT INTO affiliate_sale_events
			(program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency, sale_type, is_recurring, inside_window,
			commission_state, created_at, sale_day, op_id)
			SELECT ${programId}, '${prefix}-' || i, 0, (SELECT id FROM customers WHERE program_id = ${programId} AND customer_key = '${prefix}-customer'),
				p.id, 100 * (1 + (i * 7) % ${dollars}), 'USD', 'payment', 0, 1, 'made', ${now}, '${day}', '${prefix}-' || i
			FROM n JOIN (${ofProgram}) p ON p.place = (i - 1) % ${partners} ORDER BY i`,
		`INSERT INTO commissions (program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, hold_until, created_at, created_day)
			SELECT s.program_id, s.partner_program_id, s.id,
				(SELECT min(v.id) FROM commission_rule_versions v JOIN commission_rules r ON r.id = v.rule_id WHERE r.program_id = ${programId}),
				s.amount_cents, s.currency, '${holdUntil === undefined ? 'approved' : 'pending'}', ${holdUntil ?? now}, ${now}, '${day}' ${ownSales} ORDER BY s.id`,
		`INSERT INTO ledger_entries
			(partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
			SELECT c.partner_program_id, c.currency, 'credit', c.id, c.amount_cents, c.amount_cents,
				sum(c.amount_cents) OVER (PARTITION BY c.partner_program_id ORDER BY c.id), '${prefix}', ${now}
			FROM commissions c WHERE c.sale_id IN (SELECT s.id ${ownSales}) ORDER BY c.id`,
	];
}

function numbers(count: number): string {
	return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
}
