import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { members } from '../db/schema/accounts.ts';
import { programs } from '../db/schema/programs.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { type ProgramView, selectPrograms } from './program-view.ts';

/** Programs of all the actor's workspaces, newest first, either archived or not. */
export async function listPrograms(
	ctx: Context,
	actor: Actor,
	{ isArchived, ...request }: PageRequest & { readonly isArchived: boolean },
): Promise<Page<ProgramView>> {
	const isOwn = and(eq(members.workspaceId, programs.workspaceId), eq(members.userId, actor.userId), isNull(members.deactivatedAt));
	const list = {
		order: { ...newestFirst(programs.id), from: sql`${programs} JOIN ${members} ON ${isOwn}` },
		where: isArchived ? isNotNull(programs.archivedAt) : isNull(programs.archivedAt),
	};
	return readPage(ctx.db, list, request, (isOnPage, limit) =>
		selectPrograms(ctx).innerJoin(members, isOwn).where(isOnPage).orderBy(desc(programs.id)).limit(limit),
	);
}
