import { and, isNull, type SQL, sql } from 'drizzle-orm';
import { withdrawInvitationOf } from '../accounts/partner-invitation.ts';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { coupons } from '../db/schema/coupons.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { hasWebhooks } from '../outbox/outbox.ts';
import { isSelected } from './selected-partners.ts';

export type MembershipStatus = 'active' | 'suspended' | 'ended';

export interface StatusChange {
	readonly partnerIds: readonly number[];
	readonly status: MembershipStatus;
	/** Shown to the partners. */
	readonly reason: string | undefined;
}

const KIND = {
	active: 'membership_resumed',
	suspended: 'membership_suspended',
	ended: 'membership_ended',
} as const;

/**
 * Notifies the partners in the same batch, because the next change overwrites the reason. If a membership has ended, the CASE is NULL and
 * the batch fails, unless it is ended again.
 */
export function setStatus(ctx: Context, programId: number, change: StatusChange): Statement[] {
	const { partnerIds, status, reason = null } = change;
	const isOne = isSelected(programId, partnerIds);
	const changes = and(isOne, sql`${partnerPrograms.status} <> ${status}`);
	const notifyPartners = ctx.db.run(sql`
		INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at)
		SELECT ${partnerPrograms.partnerId}, ${partnerPrograms.programId}, ${KIND[status]},
			json_object('currency', programs.currency, 'reason', ${reason}), ${crypto.randomUUID()} || ':' || ${partnerPrograms.id}, ${ctx.now}
		FROM partner_programs JOIN programs ON programs.id = ${partnerPrograms.programId}
		WHERE ${changes} AND ${partnerPrograms.status} <> 'ended'`);
	const next =
		status === 'ended' ? { status, groupId: null } : { status: sql`CASE WHEN ${partnerPrograms.status} <> 'ended' THEN ${status} END` };
	const set = ctx.db
		.update(partnerPrograms)
		.set({ ...next, statusReason: reason })
		.where(isOne);
	const notifyBackends = ctx.db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, created_at)
		SELECT program_id, ${`${crypto.randomUUID()}:`} || id, 'partner_suspended', partner_id, ${ctx.now} FROM partner_programs
		WHERE ${changes} AND ${partnerPrograms.status} = 'active' AND ${hasWebhooks(sql`partner_programs.program_id`)}`);
	return [
		notifyPartners,
		...(status === 'suspended' ? [notifyBackends] : []),
		set,
		...(status === 'ended' ? leave(ctx, programId, partnerIds, isOne) : []),
	];
}

/** Links keep their short_link but lose their partner. Leaving the last program of the workspace withdraws an open invitation. */
function leave(ctx: Context, programId: number, partnerIds: readonly number[], isOne: SQL | undefined): Statement[] {
	const memberships = ctx.db.select({ id: partnerPrograms.id }).from(partnerPrograms).where(isOne);
	return [
		ctx.db
			.update(referralLinks)
			.set({ partnerProgramId: null })
			// The plus keeps SQLite from the index of the program, which may have 40,000 links.
			.where(sql`+${referralLinks.programId} = ${programId} AND ${referralLinks.partnerProgramId} IN ${memberships}`),
		ctx.db
			.update(coupons)
			.set({ archivedAt: ctx.now })
			.where(and(isNull(coupons.archivedAt), sql`${coupons.partnerProgramId} IN ${memberships}`)),
		...partnerIds.map((partnerId) =>
			withdrawInvitationOf(
				ctx,
				partnerId,
				sql`NOT EXISTS (SELECT 1 FROM partner_programs WHERE partner_id = ${partnerId} AND status <> 'ended')`,
			),
		),
	];
}

/** The error of a batch that suspends or resumes an ended membership. */
export const HAS_ENDED = 'NOT NULL constraint failed: partner_programs.status';
