import { and, desc, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { members } from '../db/schema/accounts.ts';
import { programs } from '../db/schema/programs.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type ProgramView, selectPrograms } from './program-view.ts';

/** The programs of all the actor's workspaces, newest first: either the archived ones or all others. */
export async function listPrograms(
	ctx: Context,
	actor: Actor,
	{ isArchived, ...page }: PageRequest & { readonly isArchived: boolean },
): Promise<Page<ProgramView>> {
	const rows = await selectPrograms(ctx)
		.innerJoin(members, and(eq(members.workspaceId, programs.workspaceId), eq(members.userId, actor.userId), isNull(members.deactivatedAt)))
		.where(
			and(
				isArchived ? isNotNull(programs.archivedAt) : isNull(programs.archivedAt),
				page.cursor === undefined ? undefined : lt(programs.id, page.cursor),
			),
		)
		.orderBy(desc(programs.id))
		.limit(page.limit + 1);
	return pageOf(rows, page.limit);
}
