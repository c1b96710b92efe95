import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { conflict, type Rejection } from '../domain/rejection.ts';
import { type ProgramDetails, readProgram } from './read-program.ts';

/**
 * An archived program records nothing new but keeps its financial records (decision 59). Needs an owner. Rejects with 409 if it is already
 * archived.
 */
export async function archiveProgram(ctx: Context, program: ManagedProgram): Promise<ProgramDetails> {
	const archived = { archivedAt: ctx.now, activeBeforeArchive: sql`${programs.active}`, active: false };
	return changeArchive(ctx, program, 'program.archive', archived);
}

/** Restores whether the program was active. Needs an owner. Rejects with 409 if it is not archived. */
export async function restoreProgram(ctx: Context, program: ManagedProgram): Promise<ProgramDetails> {
	const restored = { archivedAt: null, activeBeforeArchive: null, active: sql`${programs.activeBeforeArchive}` };
	return changeArchive(ctx, program, 'program.restore', restored);
}

/** Rejects with 409. */
export function requireNotArchived({ id, archivedAt }: Pick<ManagedProgram, 'id' | 'archivedAt'>): void {
	if (archivedAt !== null) throw archivedRefusal(id);
}

export function archivedRefusal(programId: number): Rejection {
	return conflict(`The program is archived. Restore it first: POST /api/v1/programs/${programId}/restore`);
}

type ArchiveColumns = Parameters<ReturnType<Context['db']['update']>['set']>[0];

/** A trigger refuses a repeated change, so only one of several calls succeeds. */
async function changeArchive(
	ctx: Context,
	program: ManagedProgram,
	action: 'program.archive' | 'program.restore',
	columns: ArchiveColumns,
): Promise<ProgramDetails> {
	try {
		await write(ctx.db, [
			auditProgram(ctx, program, { action, subjectId: program.id }),
			ctx.db.update(programs).set(columns).where(eq(programs.id, program.id)),
		]);
	} catch (error) {
		if (refusedWith(error, 'programs: archived already')) throw conflict('The program is already archived');
		throw refusedWith(error, 'programs: not archived') ? conflict('The program is not archived') : error;
	}
	// Other isolates see the change when their caches expire.
	ctx.links.clear();
	ctx.hostOwners.clear();
	ctx.origins.clear();
	return readProgram(ctx, program.id);
}
