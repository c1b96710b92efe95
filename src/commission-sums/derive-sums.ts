import { type SQL, sql } from 'drizzle-orm';
import { eachField, figureOf, IS_OF_SUMS, KEY, deltaOf, scopesOf } from './columns.ts';

export interface SummedDays {
	readonly programId: number;
	/** The first day, and the day after the last. */
	readonly first: string;
	readonly before: string;
	/** A condition on `scope`. */
	readonly scopes: SQL;
	/** The commissions `c` to read. */
	readonly commissions: SQL;
}

/**
 * The correct sums: the commissions less what is still in the outbox. Stored rows add zeros, so that rows without commissions are corrected
 * too.
 */
export function derivedSums({ programId, first, before, scopes, commissions }: SummedDays): SQL {
	const zeros = eachField((column) => `0 AS ${column}`);
	return sql`
		SELECT ${KEY}, ${eachField((column) => `sum(${column}) AS ${column}`)} FROM (
			SELECT scope.program_id, scope.partner_program_id, c.created_day AS day, c.currency,
				${eachField((column, field) => `${figureOf(field, 'c.status')} AS ${column}`)}
			FROM commissions c CROSS JOIN ${SCOPES_OF_COMMISSION}
			WHERE ${commissions} AND c.created_day >= ${first} AND c.created_day < ${before} AND ${scopes}
			UNION ALL SELECT scope.program_id, scope.partner_program_id, m.value ->> 'day', m.value ->> 'currency',
				${eachField((column, field) => `-${deltaOf(field)} AS ${column}`)}
			FROM outbox o CROSS JOIN json_each(o.moves) AS m CROSS JOIN ${SCOPES_OF_MOVE}
			WHERE o.program_id = ${programId} AND ${IS_OF_SUMS} AND m.value ->> 'day' >= ${first} AND m.value ->> 'day' < ${before} AND ${scopes}
			UNION ALL SELECT kept.program_id, kept.partner_program_id, kept.day, kept.currency, ${zeros}
			FROM commission_sum_scopes scope CROSS JOIN commission_sums kept
				ON kept.program_id = scope.program_id AND kept.partner_program_id = scope.partner_program_id
			WHERE scope.program_id = ${programId} AND kept.day >= ${first} AND kept.day < ${before} AND ${scopes}
		) GROUP BY ${KEY}`;
}

const SCOPES_OF_COMMISSION = scopesOf({ programId: 'c.program_id', partnerProgramId: 'c.partner_program_id' });
const SCOPES_OF_MOVE = scopesOf({ programId: 'o.program_id', partnerProgramId: "m.value ->> 'partnerProgramId'" });
