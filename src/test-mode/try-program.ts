import { and, eq, isNull } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { programKeys } from '../db/schema/programs.ts';
import { conflict, notFound, Rejection } from '../domain/rejection.ts';
import { type ChainReport, runTestChain, type TestChain } from './run-test-chain.ts';

/** Uses the program's current key. Needs an admin. Rejects with 404 without a key, and with 409 if the program is not active. */
export async function tryProgram(ctx: Context, program: ManagedProgram, chain: TestChain): Promise<ChainReport> {
	if (!program.active) throw conflict('The program is not active, so nothing is recorded: set active to true first');
	const { keys } = await write(ctx.db, [auditProgram(ctx, program, { action: 'program.try', detail: { chain } })], {
		keys: ctx.db
			.select({ hash: programKeys.tokenHash })
			.from(programKeys)
			.where(and(eq(programKeys.programId, program.id), isNull(programKeys.expiresAt))),
	});
	const [key] = keys;
	if (!key) throw notFound('Program key');
	return runTestChain(ctx, key.hash, chain).catch((error: unknown) => {
		const isGone = error instanceof Rejection && error.code === 'program_key_unknown';
		throw isGone ? conflict('The key was rotated or the program was deactivated: try again') : error;
	});
}
