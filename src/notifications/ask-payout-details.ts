import { and, desc, eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read, refusedWith, retryOnConflict, write } from '../db/client.ts';
import { auditEntries, users } from '../db/schema/accounts.ts';
import { mailPreferences } from '../db/schema/mail.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import { whyNotAskable } from '../domain/payouts/ask-details.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { unsubscribeTokenOf } from './mail-preferences.ts';

const ACTION = 'payout_details.ask';
const NO_EMAIL = 'This service sends no email, so it cannot ask. Ask the partner yourself';

/**
 * Asks the person behind a partner for payout details by email, at most once in seven days. Returns when, in ms. Rejects with 404, and with
 * 409 if email is off or the partner cannot be asked now.
 */
export async function askPayoutDetails(ctx: Context, program: ManagedProgram, partnerId: number): Promise<number> {
	const { mail } = ctx;
	if (!mail) throw conflict(NO_EMAIL);
	const operation = crypto.randomUUID();
	const asked = await retryOnConflict(async () => {
		const { found, own } = await read(ctx.db, {
			found: selectAsked(ctx, program.id, partnerId),
			own: selectOwn(ctx, program.workspaceId, operation),
		});
		const [partner] = found;
		if (!partner) throw notFound('Partner');
		// An earlier try of this call was committed, but its answer was lost.
		if (own.length > 0) return partner;
		const reason = whyNotAskable(partner, ctx.now);
		if (reason !== undefined) throw conflict(reason);
		await write(ctx.db, [
			setAsked(ctx, partnerId, partner.askedAt),
			auditProgram(ctx, program, { action: ACTION, subjectId: partnerId, detail: { operation } }),
		]);
		return partner;
	}, isOvertaken);
	if (asked.userId !== null && asked.to !== null)
		ctx.defer(
			mail({
				kind: 'payout_details_asked',
				to: asked.to,
				name: asked.name ?? '',
				programName: program.name,
				unsubscribeToken: await unsubscribeTokenOf(ctx, asked.userId),
			}),
		);
	return ctx.now;
}

function selectAsked(ctx: Context, programId: number, partnerId: number) {
	return ctx.db
		.select({
			userId: partners.userId,
			to: users.email,
			name: users.name,
			askedAt: partners.detailsAskedAt,
			isAccepted: sql`${partners.userId} IS NOT NULL`.mapWith(Boolean),
			hasDetails: sql`${payoutDetails.partnerId} IS NOT NULL`.mapWith(Boolean),
			wantsEmail: sql`coalesce(${mailPreferences.notifications}, 1)`.mapWith(Boolean),
		})
		.from(partnerPrograms)
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(users, eq(users.id, partners.userId))
		.leftJoin(payoutDetails, eq(payoutDetails.partnerId, partners.id))
		.leftJoin(mailPreferences, eq(mailPreferences.userId, partners.userId))
		.where(and(eq(partnerPrograms.programId, programId), eq(partnerPrograms.partnerId, partnerId)));
}

/** The entry of this operation in the audit log, among the newest of its kind. */
function selectOwn(ctx: Context, workspaceId: number, operation: string) {
	const recent = ctx.db
		.select({ detail: auditEntries.detail })
		.from(auditEntries)
		.where(and(eq(auditEntries.workspaceId, workspaceId), eq(auditEntries.action, ACTION)))
		.orderBy(desc(auditEntries.id))
		.limit(20)
		.as('recent');
	return ctx.db
		.select({ detail: recent.detail })
		.from(recent)
		.where(sql`json_extract(${recent.detail}, '$.operation') = ${operation}`);
}

/** NULL violates the column's constraint, and fails the batch, if somebody else has asked since the read. */
function setAsked(ctx: Context, partnerId: number, before: number | null) {
	return ctx.db
		.update(partners)
		.set({ detailsAskedAt: ctx.now, createdAt: sql`CASE WHEN ${partners.detailsAskedAt} IS ${before} THEN ${partners.createdAt} END` })
		.where(eq(partners.id, partnerId));
}

function isOvertaken(error: unknown): boolean {
	return refusedWith(error, 'NOT NULL constraint failed: partners.created_at');
}
