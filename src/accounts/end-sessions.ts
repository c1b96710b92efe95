import { and, eq, gt, ne } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { sessions } from '../db/schema/accounts.ts';
import { notFound } from '../domain/rejection.ts';
import { auditEntry } from './audit.ts';
import type { Actor } from './session.ts';

/** Ends one of the actor's sessions; `isCurrent` if it is this call's. 404 for ended sessions and those of others. */
export async function endSession(ctx: Context, actor: Actor, tokenHash: string, sessionId: number): Promise<{ isCurrent: boolean }> {
	const own = and(eq(sessions.id, sessionId), eq(sessions.userId, actor.userId));
	const [session] = await ctx.db
		.select({ tokenHash: sessions.tokenHash })
		.from(sessions)
		.where(and(own, gt(sessions.expiresAt, ctx.now)));
	if (!session) throw notFound('Session');
	await write(ctx.db, [
		ctx.db.delete(sessions).where(own),
		auditEntry(ctx, actor, { workspaceId: null, action: 'session.end', subjectId: sessionId }),
	]);
	return { isCurrent: session.tokenHash === tokenHash };
}

export async function endOtherSessions(ctx: Context, actor: Actor, tokenHash: string): Promise<{ ended: number }> {
	const others = and(eq(sessions.userId, actor.userId), ne(sessions.tokenHash, tokenHash));
	const { ended } = await write(ctx.db, [auditEntry(ctx, actor, { workspaceId: null, action: 'session.end_others' })], {
		ended: ctx.db.delete(sessions).where(others).returning({ expiresAt: sessions.expiresAt }),
	});
	return { ended: ended.filter(({ expiresAt }) => expiresAt > ctx.now).length };
}
