import { and, eq, ne } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read, refusedWith, write } from '../db/client.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { isSelected, requireMembers, selectMembers } from './selected-partners.ts';
import { noGroup, selectGroups } from './group.ts';

/**
 * Moves all of the partners or none to the group, whose rules apply to their future sales; null takes them out of their groups. Needs an
 * admin. Rejects with 404 for an unknown group or partner, and with 409 for an ended membership.
 */
export async function movePartners(
	ctx: Context,
	program: ManagedProgram,
	groupId: number | null,
	partnerIds: readonly number[],
): Promise<void> {
	const ids = [...new Set(partnerIds)];
	const found = await read(ctx.db, {
		groups: groupId === null ? undefined : selectGroups(ctx, program.id, eq(partnerGroups.id, groupId)),
		members: selectMembers(ctx, program.id, ids),
	});
	if (groupId !== null && found.groups.length === 0) throw noGroup();
	requireMembers(ids, found.members);
	try {
		await write(ctx.db, [
			ctx.db
				.update(partnerPrograms)
				.set({ groupId })
				.where(and(isSelected(program.id, ids), ne(partnerPrograms.status, 'ended'))),
			auditProgram(ctx, program, { action: 'group.move', ...(groupId !== null && { subjectId: groupId }), detail: { partner_ids: ids } }),
		]);
	} catch (error) {
		throw refusedWith(error, 'partner_programs: no such group') ? noGroup() : error;
	}
}
