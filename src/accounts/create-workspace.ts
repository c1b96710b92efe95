import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { members, workspaces } from '../db/schema/accounts.ts';
import { conflict, Rejection } from '../domain/rejection.ts';
import type { Role } from '../domain/people/role.ts';
import { auditEntry } from './audit.ts';
import type { Actor } from './session.ts';

/** Per member. */
const MOST = 100;

export interface Workspace {
	readonly id: number;
	readonly name: string;
	readonly role: Role;
}

/** The actor becomes its owner. 403 if sign-up is by invitation and they own no workspace; 409 at the limit. */
export async function createWorkspace(ctx: Context, actor: Actor, name: string): Promise<Workspace> {
	const own = selectMemberships(ctx, actor);
	const memberships = await own.limit(MOST);
	if (ctx.settings.signUp === 'invite' && !memberships.some(({ role }) => role === 'owner'))
		throw new Rejection('forbidden', { message: 'Only an owner of a workspace may create another one' });
	if (memberships.length === MOST) throw conflict(`You are a member of ${MOST} workspaces: leave one first`);
	const created = () => selectMemberships(ctx, actor, and(eq(workspaces.name, name), eq(workspaces.createdAt, ctx.now)));
	// Within the transaction, the largest id is the inserted row.
	const workspaceId: SQL<number> = sql`(SELECT max(${workspaces.id}) FROM ${workspaces})`;
	try {
		const { made } = await write(
			ctx.db,
			[
				// NULL fails the batch if an earlier try created it and only its response was lost.
				ctx.db.insert(workspaces).values({ name: sql`(SELECT ${name} WHERE NOT EXISTS ${created()})`, createdAt: ctx.now }),
				ctx.db.insert(members).values({ workspaceId, userId: actor.userId, role: 'owner', createdAt: ctx.now }),
				auditEntry(ctx, actor, { workspaceId, action: 'workspace.create', subjectId: workspaceId, detail: { name } }),
			],
			{ made: created() },
		);
		if (made[0]) return made[0];
	} catch (error) {
		if (refusedWith(error, 'users: ended')) throw new Rejection('session_unknown');
		if (!refusedWith(error, 'workspaces.name')) throw error;
	}
	const [workspace] = await created();
	if (!workspace) throw new Error('The new workspace is gone');
	return workspace;
}

function selectMemberships(ctx: Context, actor: Actor, condition?: SQL) {
	return ctx.db
		.select({ id: workspaces.id, name: workspaces.name, role: members.role })
		.from(members)
		.innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
		.where(and(eq(members.userId, actor.userId), isNull(members.deactivatedAt), condition));
}
