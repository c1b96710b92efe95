import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The amount that this operation's reinstatement withheld (decision 51); 0 if it reinstated nothing. */
export function withheldCents(commissionId: SQLWrapper, operation: SQLWrapper): SQL<number> {
	return sql`coalesce((
		SELECT e.nominal_cents - e.applied_cents FROM ledger_entries e
		WHERE e.commission_id = ${commissionId} AND e.kind = 'reinstatement' AND e.operation = ${operation}
	), 0)`;
}
