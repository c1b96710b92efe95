import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { type Group, keyOfName, orTaken, selectGroups } from './group.ts';

/** Creates an empty group. Needs an admin. 409 if another group has the name. */
export async function createGroup(ctx: Context, program: ManagedProgram, name: string): Promise<Group> {
	const newest = sql<number>`(SELECT max(${partnerGroups.id}) FROM ${partnerGroups})`;
	try {
		const { made } = await write(
			ctx.db,
			[
				ctx.db.insert(partnerGroups).values({ programId: program.id, name, nameKey: keyOfName(name), createdAt: ctx.now }),
				auditProgram(ctx, program, { action: 'group.create', subjectId: newest, detail: { name } }),
			],
			{ made: selectGroups(ctx, program.id, eq(partnerGroups.id, newest)) },
		);
		if (!made[0]) throw new Error('The new group is gone');
		return made[0];
	} catch (error) {
		throw orTaken(error, name);
	}
}
