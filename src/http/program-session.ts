import { createMiddleware } from 'hono/factory';
import { type ReportedProgram, requireProgramSession } from '../accounts/program-session.ts';
import { requireActor } from '../accounts/session.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientAddress } from './limits.ts';
import { requireSessionHash } from './management/session.ts';
import { mayReadReplica, replicaContext } from './replica-reads.ts';
import { parseId, pathId } from './validate.ts';

/** For reports that look up the session themselves. Rejects with 401, 429. */
export const requireSessionToken = createMiddleware<AppEnv & { Variables: { sessionHash: string } }>(async (c, next) => {
	c.set('sessionHash', await requireSessionHash(c));
	await next();
});

/** Finds the program of `:programId` for a member of its workspace. Rejects with 401, 400, 404, 403. */
export const requireReportedProgram = createMiddleware<AppEnv & { Variables: { program: ReportedProgram } }>(async (c, next) => {
	c.set('program', await reportedProgram(c));
	c.set('ctx', replicaContext(c));
	await next();
});

/**
 * For reports that check access in their own round trip. Queries the primary first, because a replica may not show yet that somebody was
 * removed.
 */
export const readsBeside = createMiddleware<AppEnv>(async (c, next) => {
	if (mayReadReplica(c)) {
		await reportedProgram(c);
		c.set('ctx', replicaContext(c));
	}
	await next();
});

/** Finds the program in one round trip (contract, section 5, rule 5). The session is checked (401) before the path (400). */
export async function reportedProgram(c: AppContext): Promise<ReportedProgram> {
	const { ctx, sessionHash = await requireSessionHash(c) } = c.var;
	if (parseId(c.req.param('programId') ?? '') === undefined) await requireActor(ctx, sessionHash, await clientAddress(c));
	return requireProgramSession(ctx, sessionHash, pathId(c, 'programId'));
}
