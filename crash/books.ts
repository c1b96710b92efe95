import type { DatabaseSync } from 'node:sqlite';
import { origins } from '../simulation/invariants/customers.ts';
import { decisions } from '../simulation/invariants/decisions.ts';
import { notifications, waiting } from '../simulation/invariants/effects.ts';
import type { RowInvariant } from '../simulation/invariants/invariant.ts';
import { balances, credits, movements, reversals } from '../simulation/invariants/ledger.ts';
import { payouts } from '../simulation/invariants/payouts.ts';
import { breakdowns, closedMonths, reports } from '../simulation/invariants/reports.ts';
import { payoutSums, sums } from '../simulation/invariants/sums.ts';
import { once, refunds } from '../simulation/invariants/sales.ts';
import type { Rows } from '../simulation/world/rows.ts';

/** The simulation's invariants that need only the rows. */
const INVARIANTS = [
	balances,
	movements,
	credits,
	reversals,
	payouts,
	payoutSums,
	once,
	decisions,
	refunds,
	waiting,
	notifications,
	reports,
	breakdowns,
	closedMonths,
	sums,
	origins,
] satisfies readonly RowInvariant[];

/** Queries that must count zero. Each name says what a higher count means. */
const ZEROES = {
	'outbox rows that were never applied': 'SELECT count(*) FROM outbox',
	'sales whose commission is still owed': `SELECT count(*) FROM affiliate_sale_events WHERE commission_state = 'failed'`,
	'customers who have a sale but are not conversions': `SELECT count(*) FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE c.status <> 'conversion'`,
	'commissions of a partner of another program': `SELECT count(*) FROM commissions c JOIN partner_programs pp ON pp.id = c.partner_program_id WHERE pp.program_id <> c.program_id`,
	'processor events that are not applied': `SELECT count(*) FROM processor_events WHERE state <> 'applied'`,
	'payment ids that lead to several sales': `SELECT count(*) FROM sale_aliases a JOIN affiliate_sale_events s
		ON s.processor_event_id = a.alias AND s.is_test = a.is_test
		AND s.id_scope IN (0, (SELECT program_id FROM affiliate_sale_events WHERE id = a.sale_id))`,
	'dead letters': 'SELECT count(*) FROM dead_letters',
	'broken foreign keys': 'SELECT count(*) FROM pragma_foreign_key_check',
	'damaged database pages': `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
} as const;

export const DATABASE_CHECKS = INVARIANTS.length + Object.keys(ZEROES).length;

/** Runs every check and returns those that failed. */
export function auditDatabase(sqlite: DatabaseSync, rows: Rows): string[] {
	const broken = brokenInvariants(rows);
	for (const [what, query] of Object.entries(ZEROES)) {
		const count = Number(Object.values(sqlite.prepare(query).get() ?? {})[0]);
		if (count !== 0) broken.push(`${count} ${what}`);
	}
	return broken;
}

/** Checks what must hold even while rows wait to be processed. */
export function brokenInvariants(rows: Rows): string[] {
	const broken: string[] = [];
	for (const invariant of INVARIANTS) {
		try {
			invariant.check({ rows });
		} catch (error) {
			broken.push(String(error));
		}
	}
	return broken;
}
