import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { requirePassword } from '../accounts/require-password.ts';
import type { Context } from '../context.ts';
import { violates, write } from '../db/client.ts';
import { programKeys } from '../db/schema/programs.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import { conflict } from '../domain/rejection.ts';
import { insertKey, newKey } from './insert-key.ts';

export interface Rotation {
	/** Without it, a stolen session could obtain a key. */
	readonly password: string;
	readonly overlapHours: number;
}

export interface RotatedKey {
	readonly apiToken: string;
	readonly previousExpiresAt: number;
}

/**
 * Creates a new key; earlier ones expire after the overlap or sooner. Needs an admin and the password. 403 for a wrong password; 409 if
 * another rotation was faster, because this one would end its key unseen.
 */
export async function rotateProgramKey(ctx: Context, program: ManagedProgram, { password, overlapHours }: Rotation): Promise<RotatedKey> {
	const { id: programId, workspaceId, actor } = program;
	const purpose = { workspaceId, programId, action: 'program_key.rotate' } as const;
	await requirePassword(ctx, actor, password, purpose);
	const previousId = await findCurrentKeyId(ctx, programId);
	const key = await newKey(ctx);
	const previousExpiresAt = ctx.now + overlapHours * HOUR_MS;
	const previous = previousId === undefined ? undefined : eq(programKeys.id, previousId);
	try {
		await write(ctx.db, [
			ctx.db
				.update(programKeys)
				.set({ expiresAt: previousExpiresAt })
				.where(and(eq(programKeys.programId, programId), or(previous, gt(programKeys.expiresAt, previousExpiresAt)))),
			insertKey(ctx, programId, key),
			auditEntry(ctx, actor, { ...purpose, detail: { overlapHours } }),
		]);
	} catch (error) {
		if (!violates(error, 'program_keys.')) throw error;
		// A retry finds its own key if the first attempt's response was lost. Otherwise another rotation was faster.
		const [stored] = await ctx.db.select({ id: programKeys.id }).from(programKeys).where(eq(programKeys.tokenHash, key.hash));
		if (!stored) throw conflict('The key has already been rotated: reveal the new one, or rotate again');
	}
	return { apiToken: key.token, previousExpiresAt };
}

async function findCurrentKeyId(ctx: Context, programId: number): Promise<number | undefined> {
	const [key] = await ctx.db
		.select({ id: programKeys.id })
		.from(programKeys)
		.where(and(eq(programKeys.programId, programId), isNull(programKeys.expiresAt)));
	return key?.id;
}
