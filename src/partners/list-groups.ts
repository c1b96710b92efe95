import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { type Group, selectGroups } from './group.ts';

/** Active groups of a program, newest first. */
export async function listGroups(ctx: Context, program: { readonly id: number }, request: PageRequest): Promise<Page<Group>> {
	const list = {
		order: newestFirst(partnerGroups.id),
		where: and(eq(partnerGroups.programId, program.id), isNull(partnerGroups.archivedAt)),
	};
	return readPage(ctx.db, list, request, (isOnPage, limit) => selectGroups(ctx, program.id, isOnPage).limit(limit));
}
