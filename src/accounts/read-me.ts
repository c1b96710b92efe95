import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { members, workspaces } from '../db/schema/accounts.ts';
import type { Role } from '../domain/people/role.ts';
import { OPERATORS } from './operators.ts';
import { type PartnerAccount, selectPartnerAccounts } from './partner-account.ts';
import type { Actor } from './session.ts';

export interface Me {
	readonly workspaces: readonly { readonly id: number; readonly name: string; readonly role: Role }[];
	readonly partnerAccounts: readonly PartnerAccount[];
	/** Decision 49. */
	readonly isOperator: boolean;
}

export async function readMe(ctx: Context, actor: Pick<Actor, 'userId'>): Promise<Me> {
	const { memberships, partnerAccounts, operator } = await read(ctx.db, {
		memberships: ctx.db
			.select({ id: workspaces.id, name: workspaces.name, role: members.role })
			.from(members)
			.innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
			.where(and(eq(members.userId, actor.userId), isNull(members.deactivatedAt)))
			.orderBy(workspaces.id),
		partnerAccounts: selectPartnerAccounts(ctx, actor.userId),
		operator: ctx.db.select({ isOne: sql`${actor.userId} IN ${OPERATORS}`.mapWith(Boolean) }).from(sql`(SELECT 1)`),
	});
	return { workspaces: memberships, partnerAccounts, isOperator: operator[0]?.isOne ?? false };
}
