import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { workspaces } from '../db/schema/accounts.ts';
import { auditEntry } from './audit.ts';
import type { Workspace } from './create-workspace.ts';
import type { ManagedWorkspace } from './membership.ts';
import type { Actor } from './session.ts';

/** Owners and admins. */
export async function renameWorkspace(ctx: Context, actor: Actor, { id, role }: ManagedWorkspace, name: string): Promise<Workspace> {
	await write(ctx.db, [
		ctx.db.update(workspaces).set({ name }).where(eq(workspaces.id, id)),
		auditEntry(ctx, actor, { workspaceId: id, action: 'workspace.update', subjectId: id, detail: { name } }),
	]);
	return { id, name, role };
}
