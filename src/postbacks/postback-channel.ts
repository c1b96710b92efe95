import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { postbackDeliveries } from '../db/schema/postbacks.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/calendar.ts';
import type { OutgoingRequest } from '../webhooks/attempt.ts';
import { leaseOf } from '../webhooks/claim-due.ts';
import type { DeliveryChannel, PutOff } from '../webhooks/delivery-channel.ts';
import { addressOf, type DueDelivery, selectDue } from './delivery.ts';

/** A call waits until its click, which has the sub_id, is stored. */
const CLICK_WAIT_MS = 10 * MINUTE_MS;
const CLICK_LOOK_MS = 10 * SECOND_MS;

export const postbackChannel: DeliveryChannel<DueDelivery> = {
	name: 'postbacks',
	deliveries: sql`postback_deliveries`,
	receivers: sql`postbacks`,
	receiverId: sql`postback_id`,
	isOff: sql`
		r.disabled_at IS NOT NULL OR r.deleted_at IS NOT NULL
		OR EXISTS (SELECT 1 FROM programs p WHERE p.id = r.program_id AND NOT p.partner_postbacks)
		OR EXISTS (SELECT 1 FROM partner_programs m WHERE m.id = r.partner_program_id AND m.status = 'ended')`,
	givenUp: () => sql``,
	find: async (ctx, ids) => (await read(ctx.db, { due: selectDue(ctx, ids) })).due,
	requestOf: postbackRequest,
	noted(ctx, { id }, { status, response, error = null }, next) {
		const isAgain = typeof next === 'number';
		return ctx.db
			.update(postbackDeliveries)
			.set({
				state: isAgain ? 'pending' : next,
				attempts: sql`${postbackDeliveries.attempts} + 1`,
				nextAttemptAt: isAgain ? next : null,
				lastAttemptAt: ctx.now,
				lastStatus: status,
				lastResponse: response,
				lastError: error,
			})
			.where(
				and(eq(postbackDeliveries.id, id), eq(postbackDeliveries.state, 'pending'), eq(postbackDeliveries.nextAttemptAt, leaseOf(ctx))),
			);
	},
	/** Notifies the partner. */
	notifyOfDisabling: (ctx, postbackId) =>
		ctx.db.run(sql`
			INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at)
			SELECT m.partner_id, p.id, 'postback_disabled', json_object('currency', p.currency, 'status', b.disabled_for),
				${crypto.randomUUID()}, ${ctx.now}
			FROM postbacks b
			JOIN partner_programs m ON m.id = b.partner_program_id
			JOIN programs p ON p.id = m.program_id
			WHERE b.id = ${postbackId} AND changes() > 0`),
};

async function postbackRequest(ctx: Context, delivery: DueDelivery): Promise<OutgoingRequest | PutOff> {
	if (delivery.waitsForClick && ctx.now < delivery.createdAt + CLICK_WAIT_MS) return { until: ctx.now + CLICK_LOOK_MS };
	const headers = { 'User-Agent': 'affiliate-tracker-postbacks/1', Accept: '*/*' };
	return { url: await addressOf(ctx, delivery), method: 'GET', headers };
}
