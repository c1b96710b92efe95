import { and, desc, eq, gt, lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { sessions } from '../db/schema/accounts.ts';
import { type Page, pageOf } from '../domain/page.ts';
import type { Actor } from './session.ts';

export interface Session {
	readonly id: number;
	readonly createdAt: number;
	readonly expiresAt: number;
	/** To the hour. */
	readonly lastUsedAt: number;
	readonly network: string | null;
	readonly userAgent: string | null;
	/** Whether it is the one that asks. */
	readonly isCurrent: boolean;
}

/** The actor's sessions that have not ended, newest first. */
export async function listSessions(
	ctx: Context,
	actor: Pick<Actor, 'userId'>,
	tokenHash: string,
	{ cursor, limit }: { readonly cursor: number | undefined; readonly limit: number },
): Promise<Page<Session>> {
	const rows = await ctx.db
		.select()
		.from(sessions)
		.where(
			and(eq(sessions.userId, actor.userId), gt(sessions.expiresAt, ctx.now), cursor === undefined ? undefined : lt(sessions.id, cursor)),
		)
		.orderBy(desc(sessions.id))
		.limit(limit + 1);
	const own = rows.map(({ tokenHash: its, lastUsedAt, ...session }) => ({
		...session,
		lastUsedAt: lastUsedAt ?? session.createdAt,
		isCurrent: its === tokenHash,
	}));
	return pageOf(own, limit);
}
