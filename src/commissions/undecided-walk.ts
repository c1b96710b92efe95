import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import type { WalkPosition } from '../domain/commissions/decision-run.ts';
import type { CommissionStatus } from '../domain/refunds/reversal.ts';
import { type CommissionFilter, conditionsOf, isFoundByItself } from './commission-filter.ts';

// Walks a program's unpaid, unrejected commissions in windows, partner by partner, oldest first. A commission's partner and id never
// change, so the walk visits each one once.

export interface Walk {
	readonly programId: number;
	readonly filter: Omit<CommissionFilter, 'payoutId'> & { readonly status?: CommissionStatus | undefined };
	/** The condition that a commission can be decided. */
	readonly isPossible: SQL;
	/** Newer commissions are ignored. */
	readonly maxId: number | SQL;
	/** Undefined at the start. */
	readonly after: WalkPosition | undefined;
	readonly windowRows: number;
}

/** Unqualified, because Drizzle would add the table's name. */
const MATCH_COLUMNS = {
	id: sql<number>`id`,
	partnerProgramId: sql<number>`partner_program_id`,
	currency: sql<string>`currency`,
	status: sql<CommissionStatus>`status`,
	amountCents: sql<number>`amount_cents`,
	deductedCents: sql<number>`deducted_cents`,
	statusBeforeRefund: sql<'pending' | 'approved' | 'paid' | null>`status_before_refund`,
	holdUntil: sql<number>`hold_until`,
	paidAt: sql<number | null>`paid_at`,
	revision: sql<number>`revision`,
	createdDay: sql<string>`created_day`,
} as const;

export function selectMatches(ctx: Context, walk: Walk) {
	return ctx.db.select(MATCH_COLUMNS).from(windowOf(walk, '*')).where(isMatch(walk));
}

export function countMatches(ctx: Context, walk: Walk) {
	return ctx.db
		.select({ walked: sql<number>`count(*)`, matching: sql<number>`count(*) FILTER (WHERE ${isMatch(walk)})` })
		.from(windowOf(walk, '*'));
}

/** The last commission of a full window; no row at the walk's end. */
export function selectWindowEnd(ctx: Context, walk: Walk) {
	return ctx.db
		.select({ partnerProgramId: MATCH_COLUMNS.partnerProgramId, id: MATCH_COLUMNS.id })
		.from(windowOf(walk, 'partner_program_id, id'))
		.limit(1)
		.offset(walk.windowRows - 1);
}

/** Two index ranges, which SQLite merges: the rest of the current partner, and later partners. */
function windowOf({ programId, filter: { partnerId }, maxId, after, windowRows }: Walk, columns: '*' | 'partner_program_id, id'): SQL {
	const range = (isBehind: SQL) => sql`
		SELECT ${sql.raw(columns)} FROM commissions INDEXED BY commissions_unpaid
		WHERE program_id = ${programId} AND paid_at IS NULL AND status IN ('pending', 'approved', 'refunded') AND id <= ${maxId} AND ${isBehind}`;
	const ranges =
		partnerId === undefined
			? [
					...(after ? [range(sql`partner_program_id = ${after.partnerProgramId} AND id > ${after.id}`)] : []),
					range(sql`partner_program_id > ${after?.partnerProgramId ?? 0}`),
				]
			: [
					range(
						sql`partner_program_id = (SELECT id FROM partner_programs WHERE program_id = ${programId} AND partner_id = ${partnerId}) AND id > ${after?.id ?? 0}`,
					),
				];
	return sql`(${sql.join(ranges, sql` UNION ALL `)} ORDER BY partner_program_id, id LIMIT ${windowRows}) AS commissions`;
}

function isMatch({ programId, filter: { status, search, ...filter }, isPossible }: Walk): SQL {
	const conditions = and(
		isPossible,
		status === undefined ? undefined : eq(commissions.status, status),
		...conditionsOf(programId, { ...filter, partnerId: undefined }),
		search === undefined ? undefined : isFoundByItself(programId, search),
	);
	return conditions ?? sql`1`;
}
