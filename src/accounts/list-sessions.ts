import { and, desc, eq, gt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { sessions } from '../db/schema/accounts.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import type { Actor } from './session.ts';

export interface Session {
	readonly id: number;
	readonly createdAt: number;
	readonly expiresAt: number;
	/** Accurate to the hour. */
	readonly lastUsedAt: number;
	readonly network: string | null;
	readonly userAgent: string | null;
	readonly isCurrent: boolean;
}

export async function listSessions(
	ctx: Context,
	actor: Pick<Actor, 'userId'>,
	tokenHash: string,
	request: PageRequest,
): Promise<Page<Session>> {
	const list = { order: newestFirst(sessions.id), where: and(eq(sessions.userId, actor.userId), gt(sessions.expiresAt, ctx.now)) };
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) =>
		ctx.db.select().from(sessions).where(isOnPage).orderBy(desc(sessions.id)).limit(limit),
	);
	return mapPage(page, ({ tokenHash: its, lastUsedAt, ...session }) => ({
		...session,
		lastUsedAt: lastUsedAt ?? session.createdAt,
		isCurrent: its === tokenHash,
	}));
}
