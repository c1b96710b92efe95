import { gt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { members } from '../db/schema/accounts.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Invitation, selectOpenInvitations } from './invitation.ts';
import { type Member, selectMembers } from './member.ts';
import type { ManagedWorkspace } from './membership.ts';

/** A page of the members, oldest first, and every open invitation. */
export async function listMembers(
	ctx: Context,
	workspace: ManagedWorkspace,
	{ cursor, limit }: PageRequest,
): Promise<Page<Member> & { readonly invitations: readonly Invitation[] }> {
	const { rows, invitations } = await read(ctx.db, {
		rows: selectMembers(ctx, workspace, cursor === undefined ? undefined : gt(members.id, cursor)).limit(limit + 1),
		invitations: selectOpenInvitations(ctx, workspace),
	});
	return { ...pageOf(rows, limit), invitations };
}
