import { and, eq } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { requirePassword } from '../accounts/require-password.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import type { PayoutDetails } from '../domain/payouts/payout-details.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { openDetails } from './payout-details.ts';

/**
 * Shows full payout details to an admin who enters their password, and audits it first. Rejects with 403 for a wrong password, 404 without
 * details, and 409 if no secret can decrypt them.
 */
export async function revealPayoutDetails(
	ctx: Context,
	program: ManagedProgram,
	partnerId: number,
	password: string,
): Promise<PayoutDetails> {
	const purpose = { action: 'payout_details.reveal', subjectId: partnerId } as const;
	await requirePassword(ctx, program.actor, password, { ...purpose, workspaceId: program.workspaceId, programId: program.id });
	const { found } = await write(ctx.db, [auditProgram(ctx, program, purpose)], {
		found: ctx.db
			.select({ sealed: payoutDetails.sealed })
			.from(payoutDetails)
			.innerJoin(partnerPrograms, eq(partnerPrograms.partnerId, payoutDetails.partnerId))
			.where(and(eq(payoutDetails.partnerId, partnerId), eq(partnerPrograms.programId, program.id))),
	});
	if (!found[0]) throw notFound('Payout details');
	const details = await openDetails(ctx, partnerId, found[0].sealed);
	if (!details) throw conflict('These payout details can no longer be decrypted. The partner must enter them again');
	return details;
}
