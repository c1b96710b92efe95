import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { erasedRefusal } from '../accounts/partner-invitation.ts';
import type { Context } from '../context.ts';
import { refusedWith, type Statement, write } from '../db/client.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { conflict, invalid } from '../domain/rejection.ts';
import { searchTextOf } from '../domain/search-text.ts';
import { type Partner, requirePartner, selectPartners } from './partner.ts';
import { HAS_ENDED, setStatus } from './set-status.ts';

export interface PartnerChanges {
	/** Changes in all programs of the workspace. */
	readonly name: string | undefined;
	/** A suspended partner earns nothing, and their links record no clicks. */
	readonly status: 'active' | 'suspended' | undefined;
	/** Shown to the partner. */
	readonly reason?: string | undefined;
	/** Its rules apply to future sales; null for no group. */
	readonly groupId: number | null | undefined;
}

/**
 * Renames, suspends or resumes a partner, or changes their group. Rejects with 404, with 409 for an ended membership or an erased partner,
 * and with 400 for a group of another program.
 */
export async function changePartner(ctx: Context, program: ManagedProgram, partnerId: number, changes: PartnerChanges): Promise<Partner> {
	const partner = await requirePartner(ctx, program.id, partnerId);
	const { name, status, reason, groupId } = changes;
	const statusChange = status ? setStatus(ctx, program.id, { partnerIds: [partnerId], status, reason }) : [];
	const audited = auditProgram(ctx, program, {
		action: 'partner.change',
		subjectId: partnerId,
		detail: { status, groupId, renamed: name !== undefined },
	});
	try {
		const writes = [...rename(ctx, partner, name), ...statusChange, ...joinGroup(ctx, partner, groupId), audited];
		const { changed } = await write(ctx.db, writes, { changed: selectPartners(ctx, program.id, { partnerId }) });
		ctx.links.clear();
		return changed[0] ?? partner;
	} catch (error) {
		if (refusedWith(error, 'partner_programs: no such group')) throw invalid('group_id must be a group of this program');
		throw refusedWith(error, HAS_ENDED) ? conflict('The membership has ended: add the partner again') : (erasedRefusal(error) ?? error);
	}
}

function rename(ctx: Context, partner: Partner, name: string | undefined): Statement[] {
	if (name === undefined) return [];
	const searchText = searchTextOf([name, partner.email]);
	return [ctx.db.update(partners).set({ name, searchText }).where(eq(partners.id, partner.id))];
}

/** Fails the batch if the membership has ended, because former partners have no group. */
function joinGroup(ctx: Context, partner: Partner, groupId: number | null | undefined): Statement[] {
	if (groupId === undefined) return [];
	const status = sql`CASE WHEN ${partnerPrograms.status} <> 'ended' THEN ${partnerPrograms.status} END`;
	return [ctx.db.update(partnerPrograms).set({ status, groupId }).where(eq(partnerPrograms.id, partner.partnerProgramId))];
}
