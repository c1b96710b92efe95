import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { StatementContext } from '../db/prepare.ts';
import { referralLinks } from '../db/schema/partners.ts';
import { allowedOrigins, programs } from '../db/schema/programs.ts';
import { stringsOf } from '../db/strings-of.ts';
import { trackedProgram } from './program-key.ts';

/** NULL without a link. */
export function programIdOfLink(linkId: SQL<number>): SQL<number> {
	return sql`(SELECT ${referralLinks.programId} FROM ${referralLinks} WHERE ${referralLinks.id} = ${linkId})`;
}

/** Only an active program, with its allowed origins. */
export function selectProgramOfLink(ctx: StatementContext, linkId: SQL<number>) {
	return ctx.db
		.select({
			...trackedProgram,
			allowedOrigins: origins,
		})
		.from(referralLinks)
		.innerJoin(programs, eq(programs.id, referralLinks.programId))
		.where(and(eq(referralLinks.id, linkId), eq(programs.active, true)));
}

export const origins = sql<string[]>`(
	SELECT json_group_array(${allowedOrigins.origin}) FROM ${allowedOrigins} WHERE ${allowedOrigins.programId} = ${programs.id}
)`.mapWith(stringsOf);

export const sortedOrigins = sql<string[]>`(
	SELECT json_group_array(origin) FROM (SELECT origin FROM allowed_origins WHERE program_id = ${programs.id} ORDER BY 1)
)`.mapWith(stringsOf);
