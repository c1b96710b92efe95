import { and, eq, type SQL, sql } from 'drizzle-orm';
import { OPERATORS } from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { alertMessages } from '../db/schema/alerts.ts';
import { MINUTE_MS } from '../domain/calendar.ts';

// One row per alert, phase and recipient.

/** No user has this id. */
export const WEBHOOK = 0;

const AT_ONCE = 20;
/** Retries wait as long as the lease, doubled for each try up to two hours. */
const LEASE_MS = 2 * MINUTE_MS;
const LONGEST_LEASE = 6;

export type Taken = Pick<typeof alertMessages.$inferSelect, 'alertId' | 'phase' | 'recipient' | 'tries'>;

export function isSendingAlerts({ mail, settings }: Pick<Context, 'mail' | 'settings'>): boolean {
	return mail !== undefined || settings.alertWebhook !== undefined;
}

/** Adds messages of open alerts, also for recipients who became reachable after an alert began. */
export function address(ctx: Context): Statement {
	return ctx.db.run(sql`
		INSERT INTO alert_messages (alert_id, phase, recipient, due_at)
		SELECT alert_id, 'begun', recipient, ${ctx.now} FROM ${unaddressed(ctx)}`);
}

function unaddressed(ctx: Context): SQL {
	// Alerts of one program notify its admins instead.
	return sql`(
		SELECT a.id AS alert_id, r.recipient FROM alerts a
		CROSS JOIN (SELECT ${WEBHOOK} AS recipient UNION ALL SELECT user_id FROM ${OPERATORS}) r
		WHERE a.ended_at IS NULL AND (r.recipient = ${WEBHOOK} OR a.program_id IS NULL) AND ${isReached(ctx, sql`r.recipient`)}
			AND NOT EXISTS (SELECT 1 FROM alert_messages m WHERE m.alert_id = a.id AND m.phase = 'begun' AND m.recipient = r.recipient)
	)`;
}

/** Whether sendAlerts has work. */
export function isAlertDue(ctx: Context): SQL<boolean> {
	return sql`(EXISTS (SELECT 1 FROM ${due(ctx)}) OR EXISTS ${unaddressed(ctx)})`.mapWith(Boolean);
}

/** The end of an alert waits until its beginning has been sent. */
function due(ctx: Context): SQL {
	return sql`(
		SELECT m.alert_id, m.phase, m.recipient FROM alert_messages m
		WHERE m.sent_at IS NULL AND m.due_at <= ${ctx.now} AND ${isReached(ctx, sql`m.recipient`)}
			AND (m.phase = 'begun' OR NOT EXISTS (
				SELECT 1 FROM alert_messages b
				WHERE b.alert_id = m.alert_id AND b.phase = 'begun' AND b.recipient = m.recipient AND b.sent_at IS NULL
			))
		ORDER BY m.due_at, m.alert_id LIMIT ${AT_ONCE}
	)`;
}

/** Whether the recipient's channel is configured. */
export function isReached({ mail, settings }: Pick<Context, 'mail' | 'settings'>, recipient: SQL): SQL {
	return sql`iif(${recipient} = ${WEBHOOK}, ${settings.alertWebhook !== undefined}, ${mail !== undefined})`;
}

/** Claims due messages with a lease. */
export function take(ctx: Context) {
	const { alertId, phase, recipient, tries } = alertMessages;
	return ctx.db
		.update(alertMessages)
		.set({ dueAt: sql`${ctx.now} + (${LEASE_MS} << min(${tries}, ${LONGEST_LEASE}))`, tries: sql`${tries} + 1` })
		.where(sql`(${alertId}, ${phase}, ${recipient}) IN ${due(ctx)}`)
		.returning({ alertId, phase, recipient, tries });
}

/** Finishes a message, sent or not. A message to be retried keeps its lease. */
export function settle(ctx: Context, { alertId, phase, recipient }: Taken): Statement {
	return ctx.db
		.update(alertMessages)
		.set({ sentAt: ctx.now })
		.where(and(eq(alertMessages.alertId, alertId), eq(alertMessages.phase, phase), eq(alertMessages.recipient, recipient)));
}
