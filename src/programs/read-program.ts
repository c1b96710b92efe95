import { eq } from 'drizzle-orm';
import { requireProgramRole } from '../accounts/membership.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound } from '../domain/rejection.ts';
import { type ProgramView, selectPrograms } from './program-view.ts';

/** One program, for any member of its workspace. */
export async function readProgram(ctx: Context, actor: Actor, programId: number): Promise<ProgramView> {
	await requireProgramRole(ctx, actor, programId, 'member');
	const [program] = await selectPrograms(ctx).where(eq(programs.id, programId));
	if (!program) throw notFound('Program');
	return program;
}
