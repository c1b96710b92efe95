import { and, eq, isNull } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { applicationForms } from '../db/schema/applications.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { conflict } from '../domain/rejection.ts';
import { requireGroup } from './group.ts';

/** Archives a group and its rules; earned commissions stay. Needs an admin. Rejects with 404, and with 409 if the group has partners. */
export async function archiveGroup(ctx: Context, program: ManagedProgram, groupId: number): Promise<void> {
	const { name } = await requireGroup(ctx, program.id, groupId);
	const isOfGroup = and(
		eq(commissionRules.programId, program.id),
		eq(commissionRules.groupId, groupId),
		isNull(commissionRules.archivedAt),
	);
	try {
		await write(ctx.db, [
			ctx.db.update(commissionRules).set({ archivedAt: ctx.now }).where(isOfGroup),
			ctx.db.update(applicationForms).set({ groupId: null }).where(eq(applicationForms.groupId, groupId)),
			ctx.db.update(partnerGroups).set({ archivedAt: ctx.now }).where(eq(partnerGroups.id, groupId)),
			auditProgram(ctx, program, { action: 'group.archive', subjectId: groupId, detail: { name } }),
		]);
	} catch (error) {
		throw refusedWith(error, 'partner_groups: in use') ? conflict(`${name} has partners: move them to another group first`) : error;
	}
}
