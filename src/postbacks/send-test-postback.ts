import { sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { postbackDeliveries } from '../db/schema/postbacks.ts';
import type { PostbackEvent } from '../domain/webhooks/postback.ts';
import { conflict } from '../domain/rejection.ts';
import { endRest, firstOfAll } from '../webhooks/at-once.ts';
import { wakeSender } from '../webhooks/wake-sender.ts';
import { type PostbackDelivery, selectDeliveries, toDelivery } from './delivery.ts';
import { postbackChannel } from './postback-channel.ts';
import { isPostbackOf, requirePostback } from './postback.ts';

const AMOUNT_CENTS = 1980;

/** A test call is logged and retried like any other. Rejects with 404, and with 409 if the postback is disabled. */
export async function sendTestPostback(
	ctx: Context,
	membership: PartnerMembership,
	requested: PostbackEvent | undefined,
): Promise<PostbackDelivery> {
	const { program, workspaceId, partner, actor } = membership;
	const { id, events, disabledAt } = await requirePostback(ctx, membership);
	if (disabledAt !== null) throw conflict('The postback is disabled: save it again first');
	const event = requested ?? events[0] ?? 'sale';
	const operation = crypto.randomUUID();
	const row = {
		postbackId: id,
		operation,
		event,
		subjectId: 0,
		isTest: true,
		amountCents: event === 'lead' ? 0 : AMOUNT_CENTS,
		currency: program.currency,
		state: 'pending' as const,
		nextAttemptAt: firstOfAll(ctx, postbackChannel, id),
		createdAt: ctx.now,
	};
	const { sent } = await write(
		ctx.db,
		[
			ctx.db.insert(postbackDeliveries).values(row).onConflictDoNothing(),
			endRest(ctx, postbackChannel, id),
			auditEntry(ctx, actor, {
				workspaceId,
				programId: program.id,
				action: 'postback.test',
				subjectId: id,
				detail: { partner_id: partner.id, event },
			}),
		],
		{ sent: selectDeliveries(ctx, isPostbackOf(membership), sql`${postbackDeliveries.operation} = ${operation}`) },
	);
	if (!sent[0]) throw new Error('The test is gone');
	wakeSender(ctx, 'postbacks');
	return toDelivery(ctx, sent[0]);
}
