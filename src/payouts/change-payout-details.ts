import { and, eq, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { OwnPartner } from '../accounts/own-partner.ts';
import { requirePassword } from '../accounts/require-password.ts';
import type { Context } from '../context.ts';
import { refusedWith, type Statement, write } from '../db/client.ts';
import { partners } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import { type PayoutDetails, summaryOf } from '../domain/payouts/payout-details.ts';
import { notFound } from '../domain/rejection.ts';
import { deferEmail } from '../accounts/defer-email.ts';
import { type MaskedDetails, requireOwnDetails, sealDetails, selectMasked } from './payout-details.ts';

/**
 * Needs the password, so that a stolen session cannot redirect money, and notifies the person by email and in the portal. Rejects with 403,
 * and with 404 if the actor no longer represents the partner.
 */
export async function changePayoutDetails(
	ctx: Context,
	partner: OwnPartner,
	details: PayoutDetails,
	password: string,
): Promise<MaskedDetails> {
	const purpose = { workspaceId: partner.workspaceId, action: 'payout_details.change', subjectId: partner.id } as const;
	await requirePassword(ctx, partner.actor, password, purpose);
	const [summary, sealed] = [summaryOf(details), await sealDetails(ctx, partner.id, details)];
	const { changed } = await writeAsPerson(
		ctx,
		partner,
		ctx.db
			.insert(payoutDetails)
			.values({ partnerId: ownId(ctx, partner), method: details.method, summary, sealed, changedAt: ctx.now })
			.onConflictDoUpdate({ target: payoutDetails.partnerId, set: { method: details.method, summary, sealed, changedAt: ctx.now } }),
		auditEntry(ctx, partner.actor, { ...purpose, detail: { method: details.method } }),
	);
	if (!changed[0]) throw notFound('Partner account');
	mail(ctx, partner, summary);
	return changed[0];
}

/** Needs the password and notifies the person. Rejects with 403, and with 404 without details. */
export async function removePayoutDetails(ctx: Context, partner: OwnPartner, password: string): Promise<void> {
	const purpose = { workspaceId: partner.workspaceId, action: 'payout_details.remove', subjectId: partner.id } as const;
	await requirePassword(ctx, partner.actor, password, purpose);
	await requireOwnDetails(ctx, partner);
	await writeAsPerson(
		ctx,
		partner,
		ctx.db.delete(payoutDetails).where(eq(payoutDetails.partnerId, ownId(ctx, partner))),
		auditEntry(ctx, partner.actor, purpose),
	);
	mail(ctx, partner, null);
}

/** Null if the person was removed concurrently, so that the table refuses the row. */
function ownId(ctx: Context, { id, actor }: OwnPartner) {
	const own = ctx.db
		.select({ id: partners.id })
		.from(partners)
		.where(and(eq(partners.id, id), eq(partners.userId, actor.userId)));
	return sql<number>`${own}`;
}

async function writeAsPerson(ctx: Context, partner: OwnPartner, change: Statement, audited: Statement) {
	try {
		return await write(ctx.db, [change, notify(ctx, partner), audited], { changed: selectMasked(ctx, partner.id) });
	} catch (error) {
		if (refusedWith(error, 'payout_details')) throw notFound('Partner account');
		throw error;
	}
}

/** A notification belongs to one program: the one that the partner joined last. */
function notify(ctx: Context, partner: OwnPartner): Statement {
	return ctx.db.run(sql`
		INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at)
		SELECT partner_id, program_id, 'payout_details_changed', json_object('currency', p.currency), ${crypto.randomUUID()}, ${ctx.now}
		FROM partner_programs m JOIN programs p ON p.id = m.program_id
		WHERE partner_id = ${ownId(ctx, partner)} ORDER BY m.id DESC LIMIT 1`);
}

function mail(ctx: Context, { actor, workspaceName }: OwnPartner, summary: string | null): void {
	deferEmail(ctx, { kind: 'payout_details_changed', to: actor.email, name: actor.name, workspaceName, summary });
}
