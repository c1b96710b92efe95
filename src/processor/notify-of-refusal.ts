import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { InboxEvent } from './inbox-event.ts';

/** Notifies owners and admins why a refund or dispute was refused, once per `key`, in the batch that settles the event. */
export function notifyOfRefusal(
	ctx: Context,
	{ id, eventId, programId, sender }: InboxEvent,
	{ saleId, reason, key }: { readonly saleId: number; readonly reason: string; readonly key: string },
): Statement {
	const detail = sql`json_object(
		'sale_id', ${saleId}, 'processor_event_id', ${id}, 'processor', ${sender.title}, 'reference', ${eventId}, 'reason', ${reason}, 'currency', p.currency
	)`;
	return ctx.db.run(sql`
		INSERT INTO notifications (partner_id, user_id, program_id, kind, detail, outbox_id, created_at)
		SELECT NULL, m.user_id, p.id, 'reversal_refused', ${detail}, ${key}, ${ctx.now}
		FROM programs p
		CROSS JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')
		WHERE p.id = ${programId}
		ON CONFLICT DO NOTHING`);
}
