import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound } from '../domain/rejection.ts';
import { type ProgramView, selectPrograms } from './program-view.ts';

export async function readProgram(ctx: Context, programId: number): Promise<ProgramView> {
	const [program] = await selectPrograms(ctx).where(eq(programs.id, programId));
	if (!program) throw notFound('Program');
	return program;
}
