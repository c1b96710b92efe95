import { auditEntry } from '../accounts/audit.ts';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { postbacks } from '../db/schema/postbacks.ts';
import { conflict } from '../domain/rejection.ts';
import { isPostbackOf, requirePostback, SWITCHED_OFF } from './postback.ts';

/**
 * Hides the log; waiting calls fail. Rejects with 404, and with 409 if the program switched the postback off, because a new one would be
 * on.
 */
export async function deletePostback(ctx: Context, membership: PartnerMembership): Promise<void> {
	const { program, workspaceId, partner, actor } = membership;
	const { id, disabledFor } = await requirePostback(ctx, membership);
	if (disabledFor === 'program') throw conflict(SWITCHED_OFF);
	await write(ctx.db, [
		ctx.db.update(postbacks).set({ deletedAt: ctx.now }).where(isPostbackOf(membership)),
		auditEntry(ctx, actor, {
			workspaceId,
			programId: program.id,
			action: 'postback.delete',
			subjectId: id,
			detail: { partner_id: partner.id },
		}),
	]);
}
