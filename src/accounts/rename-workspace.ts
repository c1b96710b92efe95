import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { workspaces } from '../db/schema/accounts.ts';
import { auditWorkspace } from './audit.ts';
import type { Workspace } from './create-workspace.ts';
import type { ManagedWorkspace } from './membership.ts';

/** Needs an admin. */
export async function renameWorkspace(ctx: Context, workspace: ManagedWorkspace, name: string): Promise<Workspace> {
	const { id, role } = workspace;
	await write(ctx.db, [
		ctx.db.update(workspaces).set({ name }).where(eq(workspaces.id, id)),
		auditWorkspace(ctx, workspace, { action: 'workspace.update', subjectId: id, detail: { name } }),
	]);
	return { id, name, role };
}
