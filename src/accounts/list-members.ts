import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { countedOf, isOnPage, oldestFirst, selectCounted } from '../db/list.ts';
import { members } from '../db/schema/accounts.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Invitation, selectOpenInvitations } from './invitation.ts';
import { type Member, selectMembers } from './member.ts';
import type { ManagedWorkspace } from './membership.ts';

/** One page of members, oldest first, and all open invitations. */
export async function listMembers(
	ctx: Context,
	workspace: ManagedWorkspace,
	request: PageRequest,
): Promise<Page<Member> & { readonly invitations: readonly Invitation[] }> {
	const list = { order: oldestFirst(members.id), where: and(eq(members.workspaceId, workspace.id), isNull(members.removedAt)) };
	const { rows, counted, invitations } = await read(ctx.db, {
		rows: selectMembers(ctx, workspace, isOnPage(list, request)).limit(request.limit + 1),
		counted: selectCounted(ctx.db, list, request),
		invitations: selectOpenInvitations(ctx, workspace),
	});
	return { ...pageOf(rows, request, countedOf(counted)), invitations };
}
