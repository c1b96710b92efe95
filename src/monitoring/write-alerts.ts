import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { alerts } from '../db/schema/alerts.ts';
import { programOf, type Trouble } from '../domain/monitoring/alert.ts';
import type { KeptAlert } from './kept-alert.ts';

/** Does nothing if another tick was faster. */
export function begin(ctx: Context, trouble: Trouble & Pick<KeptAlert, 'key'>): Statement[] {
	const { kind, key, facts } = trouble;
	const programId = programOf(trouble);
	return [
		ctx.db
			.insert(alerts)
			.values({ kind, key, programId, facts: JSON.stringify(facts), beganAt: ctx.now })
			.onConflictDoNothing(),
		...(programId === null ? [] : [notify(ctx, sql`key = ${key} AND ended_at IS NULL`, 'begun')]),
	];
}

/** Notifies those who were notified when the alert began. Does nothing if another tick was faster. */
export function end(ctx: Context, alert: KeptAlert): Statement[] {
	const { id } = alert;
	return [
		ctx.db
			.update(alerts)
			.set({ endedAt: sql`max(${alerts.beganAt}, ${ctx.now})` })
			.where(and(eq(alerts.id, id), isNull(alerts.endedAt))),
		...(programOf(alert) === null ? [] : [notify(ctx, sql`id = ${id}`, 'over')]),
		ctx.db.run(sql`
			INSERT INTO alert_messages (alert_id, phase, recipient, due_at)
			SELECT alert_id, 'over', recipient, ${ctx.now} FROM alert_messages WHERE alert_id = ${id} AND phase = 'begun'
			ON CONFLICT DO NOTHING`),
	];
}

/** Must follow the statement that records the alert: if that changed nothing, nobody is notified. */
function notify(ctx: Context, which: SQL, phase: 'begun' | 'over'): Statement {
	return ctx.db.run(sql`
		INSERT INTO notifications (partner_id, user_id, program_id, kind, detail, outbox_id, created_at)
		SELECT NULL, m.user_id, p.id, 'processor_silent',
			json_object('processor', a.facts ->> 'processor', 'since', a.facts ->> 'since', 'status', ${phase}, 'currency', p.currency),
			'alert:' || a.id || ':' || ${phase}, ${ctx.now}
		FROM alerts a
		CROSS JOIN programs p ON p.id = a.program_id
		CROSS JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')
		WHERE a.${which} AND changes() = 1`);
}
