import { eq } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { type Group, keyOfName, orTaken, requireGroup } from './group.ts';

/** Needs an admin. Rejects with 404, and with 409 if another group has the name. */
export async function renameGroup(ctx: Context, program: ManagedProgram, groupId: number, name: string): Promise<Group> {
	const group = await requireGroup(ctx, program.id, groupId);
	try {
		await write(ctx.db, [
			ctx.db
				.update(partnerGroups)
				.set({ name, nameKey: keyOfName(name) })
				.where(eq(partnerGroups.id, groupId)),
			auditProgram(ctx, program, { action: 'group.rename', subjectId: groupId, detail: { name } }),
		]);
		return { ...group, name };
	} catch (error) {
		throw orTaken(error, name);
	}
}
