import { and, eq, gt } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { requirePassword } from '../accounts/require-password.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { programKeys } from '../db/schema/programs.ts';
import { conflict, notFound } from '../domain/rejection.ts';

/**
 * Ends an earlier key before its overlap does. Needs an admin and the password. Safe to repeat. Rejects with 403, 404, and with 409 for the
 * current key, because nothing could be reported without it.
 */
export async function revokeProgramKey(ctx: Context, program: ManagedProgram, keyId: number, password: string): Promise<void> {
	const { id: programId, workspaceId, actor } = program;
	const purpose = { workspaceId, programId, action: 'program_key.revoke', subjectId: keyId } as const;
	await requirePassword(ctx, actor, password, purpose);
	const isKey = and(eq(programKeys.programId, programId), eq(programKeys.id, keyId));
	const [key] = await ctx.db.select({ expiresAt: programKeys.expiresAt }).from(programKeys).where(isKey);
	if (!key) throw notFound('Program key');
	if (key.expiresAt === null) throw conflict('This is the current key: to revoke it immediately, rotate it with overlap_hours 0');
	if (key.expiresAt <= ctx.now) return;
	await write(ctx.db, [
		ctx.db
			.update(programKeys)
			.set({ expiresAt: ctx.now })
			.where(and(isKey, gt(programKeys.expiresAt, ctx.now))),
		auditEntry(ctx, actor, purpose),
	]);
}
