import { and, eq, isNull } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { requirePassword } from '../accounts/require-password.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { programKeys } from '../db/schema/programs.ts';
import { notFound } from '../domain/rejection.ts';

/** Reveals the current key to an admin who enters their password, and audits it first (decision 29). 403 for a wrong password. */
export async function revealProgramKey(ctx: Context, program: ManagedProgram, password: string): Promise<string> {
	const { id: programId, workspaceId, actor } = program;
	const purpose = { workspaceId, programId, action: 'program_key.reveal' } as const;
	await requirePassword(ctx, actor, password, purpose);
	const [key] = await ctx.db
		.select({ id: programKeys.id, sealedToken: programKeys.sealedToken })
		.from(programKeys)
		.where(and(eq(programKeys.programId, programId), isNull(programKeys.expiresAt)));
	if (!key) throw notFound('Program key');
	await write(ctx.db, [auditEntry(ctx, actor, { ...purpose, subjectId: key.id })]);
	return ctx.secrets.open(key.sealedToken);
}
