import { and, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { StatementContext, Param } from '../db/prepare.ts';
import { programKeys, programs } from '../db/schema/programs.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';

/** The columns that tracking needs. */
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

/** A subquery for statements of the same batch. */
export function programIdOfKey(keyHash: Param<string>): SQL<number> {
	return sql`(SELECT ${programKeys.programId} FROM ${programKeys} WHERE ${programKeys.tokenHash} = ${keyHash})`;
}

/** The key's row under the name `asking`, which a prepared statement can reference (see `prepare`). */
export function askingKey({ keyHash }: { readonly keyHash: Param<string> }): SQL {
	return sql`program_keys AS asking WHERE asking.token_hash = ${keyHash}`;
}

export const ASKING_PROGRAM = sql<number>`asking.program_id`;

/** Without a key check, because the processor's events are already verified. */
export function selectActiveProgram(ctx: StatementContext, programId: Param<number>) {
	return ctx.db
		.select(trackedProgram)
		.from(programs)
		.where(and(eq(programs.id, programId), eq(programs.active, true)));
}

/** One round trip. Rejects with 401 (contract, section 5, rule 2). */
export async function requireProgramByKey(ctx: Context, keyHash: string): Promise<TrackedProgram> {
	const [program] = await selectProgramByKey(ctx, keyHash);
	if (!program) throw new Rejection('program_key_unknown');
	return program;
}

/** At most once an hour, in an existing batch. */
export function noteKeyUse(ctx: Context, key: { keyId: number; keyLastUsedAt: number | null }): Statement[] {
	if (key.keyLastUsedAt !== null && ctx.now - key.keyLastUsedAt < HOUR_MS) return [];
	return [ctx.db.update(programKeys).set({ lastUsedAt: ctx.now }).where(eq(programKeys.id, key.keyId))];
}
