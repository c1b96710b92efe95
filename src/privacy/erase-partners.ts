import { inArray, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { partners } from '../db/schema/partners.ts';
import { searchTextOf } from '../domain/search-text.ts';
import { redactApplicationDeliveries, redactPartnerDeliveries } from './redact-notifications.ts';

const ERASED_NAME = 'Erased partner';
const ERASED_CODE = 'ERASED-';

/** Unique. Nobody can register it, and it receives no email. */
export function erasedEmail(): SQL<string> {
	return sql`'erased-' || id || ${`-${crypto.randomUUID().slice(0, 8)}@erased.invalid`}`;
}

/** Erases personal data and ends active memberships. Commissions, payouts and the ledger stay. */
export function erasePartners(ctx: Context, partnerIds: SQL): Statement[] {
	const memberships = sql`(SELECT id FROM partner_programs WHERE partner_id IN ${partnerIds})`;
	const ofTheirs = sql`email IN (SELECT email FROM partners WHERE id IN ${partnerIds}) AND partner_id IN ${partnerIds}`;
	return [
		...eraseApplications(
			ctx,
			sql`SELECT a.id FROM partners p JOIN programs g ON g.workspace_id = p.workspace_id
				JOIN partner_applications a ON a.program_id = g.id AND a.email = p.email WHERE p.id IN ${partnerIds}`,
		),
		...eraseInvitations(ctx, ofTheirs),
		redactPartnerDeliveries(ctx, partnerIds),
		ctx.db.run(sql`UPDATE partner_programs SET status = 'ended', group_id = NULL, status_reason = NULL WHERE partner_id IN ${partnerIds}`),
		ctx.db.run(sql`UPDATE referral_links SET partner_program_id = NULL WHERE partner_program_id IN ${memberships}`),
		...eraseCodes(ctx, memberships),
		...erasePostbacks(ctx, memberships),
		ctx.db.run(sql`
			UPDATE notifications SET detail = json_remove(detail, '$.reason')
			WHERE partner_id IN ${partnerIds} AND kind GLOB 'membership_*' AND detail ->> 'reason' IS NOT NULL`),
		ctx.db
			.update(partners)
			.set({ name: ERASED_NAME, email: erasedEmail(), userId: null, searchText: searchTextOf([ERASED_NAME]) })
			.where(inArray(partners.id, partnerIds)),
	];
}

/** A code may contain a name. Coupons keep their sales. */
function eraseCodes(ctx: Context, memberships: SQL): Statement[] {
	return [
		ctx.db.run(sql`
			DELETE FROM coupon_ids WHERE (program_id, code) IN (SELECT program_id, code FROM coupons WHERE partner_program_id IN ${memberships})`),
		ctx.db.run(sql`
			UPDATE coupons SET code = ${ERASED_CODE} || id, search_text = ${searchTextOf([ERASED_CODE])},
				archived_at = coalesce(archived_at, ${ctx.now})
			WHERE partner_program_id IN ${memberships}`),
	];
}

/** A postback's URL and responses may identify the partner. */
function erasePostbacks(ctx: Context, memberships: SQL): Statement[] {
	const theirs = sql`SELECT id FROM postbacks WHERE partner_program_id IN ${memberships}`;
	return [
		ctx.db.run(sql`DELETE FROM postback_deliveries WHERE postback_id IN (${theirs})`),
		ctx.db.run(sql`
			UPDATE postbacks SET url = 'https://erased.invalid/', deleted_at = coalesce(deleted_at, ${ctx.now}) WHERE partner_program_id IN ${memberships}`),
	];
}

/** Declines open applications. The accepted terms and decisions stay. */
export function eraseApplications(ctx: Context, ids: SQL): Statement[] {
	const erase = ctx.db.run(sql`
		UPDATE partner_applications SET name = 'Erased applicant', email = 'erased-' || id || '@erased.invalid', website = NULL, message = NULL,
			reason = NULL, decided_at = coalesce(decided_at, ${ctx.now}), status = CASE status WHEN 'open' THEN 'declined' ELSE status END
		WHERE id IN (${ids})`);
	return [redactApplicationDeliveries(ctx, ids), erase];
}

/** Withdraws open invitations first. */
export function eraseInvitations(ctx: Context, condition: SQL): Statement[] {
	return [
		ctx.db.run(sql`UPDATE invitations SET withdrawn_at = ${ctx.now} WHERE accepted_at IS NULL AND withdrawn_at IS NULL AND (${condition})`),
		ctx.db.run(sql`UPDATE invitations SET email = ${erasedEmail()} WHERE ${condition}`),
	];
}
