import { env } from 'cloudflare:workers';
import type { Earned } from './ledger.ts';
import { rows } from './funnel.ts';

/** Copies a sale with its commission and credit, and returns the commission ids. The reports' metrics do not include them. */
export async function moreLike(earned: Earned, count: number): Promise<number[]> {
	const mark = crypto.randomUUID();
	const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)';
	const sales = await copiedColumns('affiliate_sale_events', {
		id: 'NULL',
		processor_event_id: "'more-' || ?3 || '-' || n.i",
		op_id: "?3 || '-' || n.i",
		revision: '0',
	});
	const commissions = await copiedColumns('commissions', { id: 'NULL', sale_id: 's.id', revision: '0' });
	const copies = "affiliate_sale_events s ON s.op_id LIKE ?3 || '-%'";
	const [, made] = await env.DB.batch<{ id: number }>([
		env.DB.prepare(
			`INSERT INTO affiliate_sale_events (${sales.names}) ${numbers} SELECT ${sales.values} FROM affiliate_sale_events o, n WHERE o.id = ?1`,
		).bind(earned.saleId, count, mark),
		env.DB.prepare(
			`INSERT INTO commissions (${commissions.names}) SELECT ${commissions.values} FROM commissions o JOIN ${copies.replaceAll('?3', '?2')} WHERE o.id = ?1 RETURNING id`,
		).bind(earned.commissionId, mark),
		env.DB.prepare(
			`INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
			SELECT c.partner_program_id, c.currency, 'credit', c.id, c.amount_cents, c.amount_cents,
				b.balance_cents + sum(c.amount_cents) OVER (ORDER BY c.id), s.op_id, c.created_at
			FROM commissions c JOIN ${copies.replaceAll('?3', '?1')} AND s.id = c.sale_id
			JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency ORDER BY c.id`,
		).bind(mark),
	]);
	return made?.results.map(({ id }) => id) ?? [];
}

/** The columns of row `o`, except the given ones. */
async function copiedColumns(table: string, given: Readonly<Record<string, string>>): Promise<{ names: string; values: string }> {
	const columns = await rows<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
	return {
		names: columns.map(({ name }) => name).join(', '),
		values: columns.map(({ name }) => given[name] ?? `o.${name}`).join(', '),
	};
}
