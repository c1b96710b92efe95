import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, type Statement, write } from '../db/client.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { allowedOrigins, programs } from '../db/schema/programs.ts';
import { conflict, invalid, Rejection } from '../domain/rejection.ts';
import { datePartners } from '../partners/date-partners.ts';
import { archivedRefusal } from './archive.ts';
import { raisedDays, retentionColumns, retentionRefusal } from './change-retention.ts';
import type { ProgramSettings } from './create-program.ts';
import { insertOrigins } from './insert-origins.ts';
import { type ProgramDetails, readProgram } from './read-program.ts';

type Changeable = ProgramSettings & { readonly active: boolean };

/** Omitted fields stay unchanged. Origins replace the whole list. */
export type ProgramChange = { readonly [Setting in keyof Changeable]?: Changeable[Setting] | undefined };

export interface ChangedProgram {
	readonly program: ProgramDetails;
	/** Set if a longer attribution window raised the retention. */
	readonly raisedRetentionDays: number | undefined;
}

/**
 * Needs an admin. 409 for a new currency after the first sale or a new time zone after the first event, because recorded amounts and days
 * would change their meaning.
 */
export async function updateProgram(ctx: Context, program: ManagedProgram, change: ProgramChange): Promise<ChangedProgram> {
	const programId = program.id;
	const { allowedOrigins: origins, ...columns } = change;
	const changed = Object.entries(change).filter(([, value]) => value !== undefined);
	if (changed.length === 0) throw invalid('Send at least one field to change');
	const raisedRetentionDays = raisedDays(program.clickRetentionDays, change);
	const detail = {
		...Object.fromEntries(changed),
		...(raisedRetentionDays !== undefined && { clickRetentionDays: raisedRetentionDays }),
	};
	const audit = auditProgram(ctx, program, { action: 'program.update', subjectId: programId, detail });
	try {
		await write(ctx.db, [
			audit,
			...relabelCounts(ctx, programId, columns.currency),
			...updateColumns(ctx, programId, columns),
			...replaceOrigins(ctx, programId, origins),
			...(await redatePartners(ctx, programId, columns.timeZone)),
		]);
	} catch (error) {
		throw (await refusalOf(ctx, error, program, change)) ?? error;
	}
	// Cached clicks and preflights may be outdated.
	ctx.links.clear();
	ctx.hostOwners.clear();
	ctx.origins.clear();
	return { program: await readProgram(ctx, programId), raisedRetentionDays };
}

/** A trigger allows another currency only before the first sale, so daily rows have only counts and can be relabelled. */
function relabelCounts(ctx: Context, programId: number, currency: string | undefined): Statement[] {
	if (currency === undefined) return [];
	return [
		...['daily_performance', 'daily_breakdown'].map((table) =>
			ctx.db.run(sql`
			UPDATE OR REPLACE ${sql.raw(table)} SET currency = ${currency}
			WHERE program_id = ${programId} AND currency = (SELECT currency FROM programs WHERE id = ${programId}) AND currency <> ${currency}`),
		),
		// Reopens closed months, so that they are summed in the new currency.
		ctx.db.run(sql`DELETE FROM breakdown_months WHERE program_id = ${programId}`),
	];
}

function updateColumns(ctx: Context, programId: number, columns: Omit<ProgramChange, 'allowedOrigins'>): Statement[] {
	if (Object.values(columns).every((value) => value === undefined)) return [];
	// Another domain needs another proof.
	const { domain } = columns;
	const domainVerifiedAt =
		domain === undefined ? undefined : sql`CASE WHEN ${programs.domain} IS ${domain} THEN ${programs.domainVerifiedAt} END`;
	return [
		ctx.db
			.update(programs)
			.set({ ...columns, ...retentionColumns(ctx, columns), domainVerifiedAt })
			.where(eq(programs.id, programId)),
	];
}

function replaceOrigins(ctx: Context, programId: number, origins: readonly string[] | undefined): Statement[] {
	if (!origins) return [];
	return [ctx.db.delete(allowedOrigins).where(eq(allowedOrigins.programId, programId)), insertOrigins(ctx, programId, origins)];
}

/** Cron corrects partners who join at the same time. */
async function redatePartners(ctx: Context, programId: number, timeZone: string | undefined): Promise<Statement[]> {
	if (timeZone === undefined) return [];
	const joined = await ctx.db
		.select({ id: partnerPrograms.id, createdAt: partnerPrograms.createdAt })
		.from(partnerPrograms)
		.where(eq(partnerPrograms.programId, programId));
	return datePartners(ctx, programId, joined, timeZone);
}

async function refusalOf(
	ctx: Context,
	error: unknown,
	{ id }: Pick<ManagedProgram, 'id'>,
	change: ProgramChange,
): Promise<Rejection | undefined> {
	if (refusedWith(error, 'programs: archived is inactive')) return archivedRefusal(id);
	// The window may have changed since the caller was checked.
	if (refusedWith(error, 'programs: clicks are kept a week longer'))
		return retentionRefusal(change.cookieWindowDays ?? (await readProgram(ctx, id)).cookieWindowDays);
	if (refusedWith(error, 'programs: currency is fixed'))
		return conflict('currency cannot change because the program has sales. Create another program for another currency.');
	if (refusedWith(error, 'programs: time_zone is fixed'))
		return conflict('time_zone cannot change because the program has events whose days depend on it.');
	return undefined;
}
