import { and, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { StatementContext, Param } from '../db/prepare.ts';
import { programKeys, programs } from '../db/schema/programs.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';

/** What tracking asks of a program. */
export const trackedProgram = {
	id: programs.id,
	workspaceId: programs.workspaceId,
	currency: programs.currency,
	cookieWindowDays: programs.cookieWindowDays,
	timeZone: programs.timeZone,
	serverLeadsOnly: programs.serverLeadsOnly,
	keepEmails: programs.keepEmails,
	couponWins: programs.couponWins,
	rulesByLine: programs.rulesByLine,
} as const;

export type TrackedProgram = Awaited<ReturnType<typeof selectActiveProgram>>[number];

/** The program that a key speaks for, as a statement, so that verbs read it in the one batch they read anyway. */
export function selectProgramByKey(ctx: StatementContext, keyHash: Param<string>) {
	return ctx.db
		.select({ ...trackedProgram, keyId: programKeys.id, keyLastUsedAt: programKeys.lastUsedAt })
		.from(programKeys)
		.innerJoin(programs, eq(programs.id, programKeys.programId))
		.where(
			and(
				eq(programKeys.tokenHash, keyHash),
				or(isNull(programKeys.expiresAt), gt(programKeys.expiresAt, ctx.now)),
				eq(programs.active, true),
			),
		);
}

/** The program's id as a subquery, for the other statements of that batch. */
export function programIdOfKey(keyHash: Param<string>): SQL<number> {
	return sql`(SELECT ${programKeys.programId} FROM ${programKeys} WHERE ${programKeys.tokenHash} = ${keyHash})`;
}

/** The row of the key, of which all that one statement reads may speak: see prepare. */
export function askingKey({ keyHash }: { readonly keyHash: Param<string> }): SQL {
	return sql`program_keys AS asking WHERE asking.token_hash = ${keyHash}`;
}

/** The id of its program. */
export const ASKING_PROGRAM = sql<number>`asking.program_id`;

/** A program that nobody has to prove anything for: its processor's events are verified already. */
export function selectActiveProgram(ctx: StatementContext, programId: Param<number>) {
	return ctx.db
		.select(trackedProgram)
		.from(programs)
		.where(and(eq(programs.id, programId), eq(programs.active, true)));
}

/** The program of a key in a trip of its own. Rejects with 401 (contract, section 5, rule 2). */
export async function requireProgramByKey(ctx: Context, keyHash: string): Promise<TrackedProgram> {
	const [program] = await selectProgramByKey(ctx, keyHash);
	if (!program) throw new Rejection('program_key_unknown');
	return program;
}

/** Notes the key's last use in a batch that writes anyway, at most once an hour. */
export function noteKeyUse(ctx: Context, key: { keyId: number; keyLastUsedAt: number | null }): Statement[] {
	if (key.keyLastUsedAt !== null && ctx.now - key.keyLastUsedAt < HOUR_MS) return [];
	return [ctx.db.update(programKeys).set({ lastUsedAt: ctx.now }).where(eq(programKeys.id, key.keyId))];
}
