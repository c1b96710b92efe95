import { and, eq, type SQL, sql } from 'drizzle-orm';
import { OPERATORS } from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { alertMessages } from '../db/schema/alerts.ts';
import { MINUTE_MS } from '../domain/calendar.ts';

// Who is told of an alert: a row for each of them, of its beginning and of its end.

/** The recipient that is no user. */
export const WEBHOOK = 0;

/** Messages that are taken at once: an alert is rare. */
const AT_ONCE = 20;
/** For how long who takes one has it to themselves, and after how long it is tried again; twice as long each time, up to two hours. */
const LEASE_MS = 2 * MINUTE_MS;
const LONGEST_LEASE = 6;

export type Taken = Pick<typeof alertMessages.$inferSelect, 'alertId' | 'phase' | 'recipient' | 'tries'>;

/** Whether anybody is told of alerts. */
export function isSendingAlerts({ mail, settings }: Pick<Context, 'mail' | 'settings'>): boolean {
	return mail !== undefined || settings.alertWebhook !== undefined;
}

/** Who is to be told that an alert began, and is not yet: also who is reached only since, while it is not over. */
export function address(ctx: Context): Statement {
	return ctx.db.run(sql`
		INSERT INTO alert_messages (alert_id, phase, recipient, due_at)
		SELECT alert_id, 'begun', recipient, ${ctx.now} FROM ${unaddressed(ctx)}`);
}

/** The alerts that are not over, with whom there is a way to tell, and who is not to be told yet. */
function unaddressed(ctx: Context): SQL {
	// What concerns one program its admins are told.
	return sql`(
		SELECT a.id AS alert_id, r.recipient FROM alerts a
		CROSS JOIN (SELECT ${WEBHOOK} AS recipient UNION ALL SELECT user_id FROM ${OPERATORS}) r
		WHERE a.ended_at IS NULL AND (r.recipient = ${WEBHOOK} OR a.program_id IS NULL) AND ${isReached(ctx, sql`r.recipient`)}
			AND NOT EXISTS (SELECT 1 FROM alert_messages m WHERE m.alert_id = a.id AND m.phase = 'begun' AND m.recipient = r.recipient)
	)`;
}

/** Whether tellAlerts would have anything to do. */
export function isAlertDue(ctx: Context): SQL<boolean> {
	return sql`(EXISTS (SELECT 1 FROM ${due(ctx)}) OR EXISTS ${unaddressed(ctx)})`.mapWith(Boolean);
}

/** Those whose time has come; the end of an alert not before its beginning was told. */
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

/** Whether there is a way to tell the recipient. */
export function isReached({ mail, settings }: Pick<Context, 'mail' | 'settings'>, recipient: SQL): SQL {
	return sql`iif(${recipient} = ${WEBHOOK}, ${settings.alertWebhook !== undefined}, ${mail !== undefined})`;
}

/** Who takes one has it to themselves for a while. */
export function take(ctx: Context) {
	const { alertId, phase, recipient, tries } = alertMessages;
	return ctx.db
		.update(alertMessages)
		.set({ dueAt: sql`${ctx.now} + (${LEASE_MS} << min(${tries}, ${LONGEST_LEASE}))`, tries: sql`${tries} + 1` })
		.where(sql`(${alertId}, ${phase}, ${recipient}) IN ${due(ctx)}`)
		.returning({ alertId, phase, recipient, tries });
}

/** Nobody has to send it any more. One that is to be tried again keeps its lease. */
export function settle(ctx: Context, { alertId, phase, recipient }: Taken): Statement {
	return ctx.db
		.update(alertMessages)
		.set({ sentAt: ctx.now })
		.where(and(eq(alertMessages.alertId, alertId), eq(alertMessages.phase, phase), eq(alertMessages.recipient, recipient)));
}
