import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { incrementsOfSums } from '../domain/commissions/commission-sums.ts';
import { eachField, figureOf, KEY, deltaOf, scopesOf } from './columns.ts';

type Changes = Parameters<typeof incrementsOfSums>[0];

/** Adds changes to all scopes that store sums. */
export function raiseSums(ctx: Pick<Context, 'db' | 'now'>, changes: Changes): Statement[] {
	const increments = incrementsOfSums(changes);
	return increments.length > 0 ? [raise(ctx, { increments: JSON.stringify(increments) })] : [];
}

const raise = prepare(({ db }, { increments }: Placeholders<{ increments: string }>) =>
	db.run(sql`
		INSERT INTO commission_sums (${KEY}, ${eachField()})
		SELECT scope.program_id, scope.partner_program_id, m.value ->> 'day', m.value ->> 'currency',
			${eachField((_column, field) => `sum(${deltaOf(field)})`)}
		FROM json_each(${increments}) AS m CROSS JOIN ${scopesOf({
			programId: "m.value ->> 'programId'",
			partnerProgramId: "m.value ->> 'partnerProgramId'",
			day: "m.value ->> 'day'",
		})}
		WHERE true GROUP BY 1, 2, 3, 4
		ON CONFLICT (${KEY}) DO UPDATE SET ${RAISED}`),
);

const RAISED = eachField((column) => `${column} = ${column} + excluded.${column}`);

/**
 * Moves commissions between states in the sums, for changes without one outbox row per commission. Must precede the change in its batch.
 * `to` is the new state of commission `c`, as SQL.
 */
export function deltasOfSums({ db }: Pick<Context, 'db'>, commissionIds: SQL, to: string): Statement {
	return db.run(sql`
		INSERT INTO commission_sums (${KEY}, ${eachField()})
		SELECT scope.program_id, scope.partner_program_id, c.created_day, c.currency,
			${eachField((_column, field) => `sum(${figureOf(field, to)} - ${figureOf(field, 'c.status')})`)}
		FROM commissions c CROSS JOIN ${scopesOf({
			programId: 'c.program_id',
			partnerProgramId: 'c.partner_program_id',
			day: 'c.created_day',
		})}
		WHERE c.id IN ${commissionIds} AND c.status <> ${sql.raw(to)} GROUP BY 1, 2, 3, 4
		ON CONFLICT (${KEY}) DO UPDATE SET ${RAISED}`);
}
