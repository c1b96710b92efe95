import { type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { type Found, read } from '../db/client.ts';
import { type CommissionSum, type SumField, sumsByState, sumsOfRow } from '../domain/commissions/commission-sums.ts';
import type { DayOrInstant } from '../domain/moment.ts';
import { type SummedRange, summedRangeOf } from '../domain/reporting/summed-days.ts';
import { ALL_PARTNERS, eachField, IS_OF_SUMS, deltaOf } from './columns.ts';
import { FEW_COMMISSIONS, keepSums } from './keep-sums.ts';

export interface SumFilter {
	readonly currency?: string | undefined;
	readonly from?: DayOrInstant | undefined;
	readonly to?: DayOrInstant | undefined;
}

interface Summed {
	readonly program: { readonly id: number; readonly timeZone: string };
	/** A membership; undefined for all. */
	readonly partnerProgramId?: SQL | number | undefined;
}

interface SumsQuery extends SummedRange {
	readonly programId: number;
	readonly partnerProgramId: SQL | number;
	readonly currency: string | undefined;
}

/**
 * Commission sums by state and currency in one round trip. Stored sums cost one row per day and currency. Otherwise each commission is
 * read; if there are many, cron stores sums from then on.
 */
export async function readSums(ctx: Context, summed: Summed, filter: SumFilter, few = FEW_COMMISSIONS): Promise<CommissionSum[]> {
	return sumsFound(ctx, summed, await read(ctx.db, selectSums(ctx, summed, filter)), few);
}

/** The reads of `readSums`, for a batch with others. `sumsFound` makes the sums of their answers. */
export function selectSums(ctx: Context, { program, partnerProgramId = ALL_PARTNERS }: Summed, filter: SumFilter) {
	const range = summedRangeOf(filter, program.timeZone);
	const query: SumsQuery = { ...range, programId: program.id, partnerProgramId, currency: filter.currency };
	return {
		kept: selectKept(ctx, query),
		unsummed: selectUnsummed(ctx, query),
		parts: range.parts.length > 0 ? selectParts(ctx, query) : undefined,
	};
}

export function sumsFound(
	ctx: Context,
	{ program, partnerProgramId = ALL_PARTNERS }: Summed,
	{ kept, unsummed, parts }: Found<ReturnType<typeof selectSums>>,
	few = FEW_COMMISSIONS,
): CommissionSum[] {
	const [first] = unsummed;
	if (first && unsummed.reduce((count, sum) => count + sum.count, 0) > few) {
		const scope = { programId: program.id, partnerProgramId: partnerProgramId === ALL_PARTNERS ? ALL_PARTNERS : first.partnerProgramId };
		ctx.defer(
			keepSums(ctx, scope).catch((error: unknown) => ctx.log({ level: 'warn', event: 'sums_not_kept', ...scope, ...describeFault(error) })),
		);
	}
	return sumsByState([
		...kept.flatMap(({ currency, ...row }) => sumsOfRow(currency, row)),
		...[...unsummed, ...parts].map(({ partnerProgramId: _id, ...sum }) => sum),
	]);
}

type KeptRow = { readonly currency: string } & Readonly<Record<SumField, number>>;

/** The stored sums plus the outbox, one row per currency. */
function selectKept({ db }: Context, { programId, partnerProgramId, currency, first, last }: SumsQuery) {
	const days = (day: string) => sql`${sql.raw(day)} >= ${first} AND ${sql.raw(day)} <= ${last} AND ${sql.raw(day)} < scope.summed_before`;
	return db.all<KeptRow>(sql`
		WITH scope AS MATERIALIZED (
			SELECT * FROM commission_sum_scopes WHERE program_id = ${programId} AND partner_program_id = ${partnerProgramId}
		)
		SELECT currency, ${eachField((column, field) => `sum(${column}) AS "${field}"`)} FROM (
			SELECT kept.currency, ${eachField((column) => `kept.${column}`)} FROM scope CROSS JOIN commission_sums kept
				ON kept.program_id = scope.program_id AND kept.partner_program_id = scope.partner_program_id
			WHERE ${days('kept.day')}
			UNION ALL SELECT m.value ->> 'currency', ${eachField((_column, field) => deltaOf(field))}
			FROM scope CROSS JOIN outbox o ON o.program_id = scope.program_id CROSS JOIN json_each(o.moves) AS m
			WHERE ${days("m.value ->> 'day'")} AND ${IS_OF_SUMS}
				AND scope.partner_program_id IN (${ALL_PARTNERS}, m.value ->> 'partnerProgramId')
		) ${currency === undefined ? sql`` : sql`WHERE currency = ${currency}`} GROUP BY currency`);
}

type RawSum = CommissionSum & { readonly partnerProgramId: number };

/** The commissions of whole days that no stored sum includes. */
function selectUnsummed(ctx: Context, query: SumsQuery) {
	const { programId, partnerProgramId, first, last } = query;
	const summedBefore = sql`coalesce((
		SELECT summed_before FROM commission_sum_scopes WHERE program_id = ${programId} AND partner_program_id = ${partnerProgramId}
	), '')`;
	return addUp(ctx, query, sql`c.created_day >= max(${first}, ${summedBefore}) AND c.created_day <= ${last}`);
}

function selectParts(ctx: Context, query: SumsQuery) {
	const days = sql.join(
		query.parts.map(({ day }) => sql`${day}`),
		sql`, `,
	);
	const parts = query.parts.map(({ day, from, to }) => sql`c.created_day = ${day} AND c.created_at BETWEEN ${from} AND ${to}`);
	// SQLite uses the index for a list of days, but not for an OR.
	return addUp(ctx, query, sql`c.created_day IN (${days}) AND (${sql.join(parts, sql` OR `)})`);
}

function addUp({ db }: Context, { programId, partnerProgramId, currency }: SumsQuery, days: SQL) {
	const ofScope =
		partnerProgramId === ALL_PARTNERS
			? sql`c.program_id = ${programId}`
			: sql`+c.program_id = ${programId} AND c.partner_program_id = ${partnerProgramId}`;
	return db.all<RawSum>(sql`
		SELECT status, currency, count(*) AS count, sum(amount_cents) AS amountCents, sum(deducted_cents) AS deductedCents,
			max(partner_program_id) AS partnerProgramId
		FROM commissions c WHERE ${ofScope} AND ${days} ${currency === undefined ? sql`` : sql`AND c.currency = ${currency}`}
		GROUP BY status, currency`);
}
