import type { DatabaseSync } from 'node:sqlite';
import { origins } from '../simulation/invariants/customers.ts';
import { decisions } from '../simulation/invariants/decisions.ts';
import { notifications, waiting } from '../simulation/invariants/effects.ts';
import type { BookInvariant } from '../simulation/invariants/invariant.ts';
import { balances, credits, movements, reversals } from '../simulation/invariants/ledger.ts';
import { payouts } from '../simulation/invariants/payouts.ts';
import { breakdowns, closedMonths, reports } from '../simulation/invariants/reports.ts';
import { sums } from '../simulation/invariants/sums.ts';
import { once, refunds } from '../simulation/invariants/sales.ts';
import type { Rows } from '../simulation/world/rows.ts';

/** Those of the simulation's invariants that ask nothing but the rows. */
const INVARIANTS = [
	balances,
	movements,
	credits,
	reversals,
	payouts,
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
] satisfies readonly BookInvariant[];

/** Counts that are zero in books that are in order, each named for what it would mean. */
const ZEROES = {
	'outbox rows without effect': 'SELECT count(*) FROM outbox',
	'commissions that are owed': `SELECT count(*) FROM affiliate_sale_events WHERE commission_state = 'failed'`,
	'customers of sales that are no conversions': `SELECT count(*) FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE c.status <> 'conversion'`,
	'rows of two programs': `SELECT count(*) FROM commissions c JOIN partner_programs pp ON pp.id = c.partner_program_id WHERE pp.program_id <> c.program_id`,
	'events of the processor that are not applied': `SELECT count(*) FROM processor_events WHERE state <> 'applied'`,
	'ids of payments that lead to several sales': `SELECT count(*) FROM sale_aliases a JOIN affiliate_sale_events s
		ON s.processor_event_id = a.alias AND s.is_test = a.is_test
		AND s.id_scope IN (0, (SELECT program_id FROM affiliate_sale_events WHERE id = a.sale_id))`,
	'dead letters': 'SELECT count(*) FROM dead_letters',
	'foreign keys that lead nowhere': 'SELECT count(*) FROM pragma_foreign_key_check',
	'pages that are damaged': `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
} as const;

/** How many checks the books go through. */
export const BOOK_CHECKS = INVARIANTS.length + Object.keys(ZEROES).length;

/** What is not in order in the books. */
export function auditBooks(sqlite: DatabaseSync, rows: Rows): string[] {
	const broken = brokenInvariants(rows);
	for (const [what, query] of Object.entries(ZEROES)) {
		const count = Number(Object.values(sqlite.prepare(query).get() ?? {})[0]);
		if (count !== 0) broken.push(`${count} ${what}`);
	}
	return broken;
}

/** Of the rows alone, whatever may still wait in them. */
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
