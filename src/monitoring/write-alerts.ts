import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { OPERATORS } from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { alerts } from '../db/schema/alerts.ts';
import type { Trouble } from '../domain/alert.ts';
import type { KeptAlert } from './kept-alert.ts';

/** Notes that it began, and who is to be told: nothing where another tick was first. */
export function begin(ctx: Context, { kind, key, facts }: Trouble): Statement[] {
	const programId = facts.programId ?? null;
	const alert = { kind, key, programId, facts: JSON.stringify(facts), beganAt: ctx.now };
	const isOpen = sql`key = ${key} AND ended_at IS NULL`;
	const told = [
		ctx.settings.alertWebhook === undefined ? undefined : sql`SELECT 0 AS user_id`,
		// What concerns one program its admins are told.
		ctx.mail === undefined || programId !== null ? undefined : sql`SELECT user_id FROM ${OPERATORS}`,
	].filter((recipients) => recipients !== undefined);
	return [
		ctx.db.insert(alerts).values(alert).onConflictDoNothing(),
		...(programId === null ? [] : [notify(ctx, isOpen, 'begun')]),
		...told.map((recipients) =>
			ctx.db.run(sql`
				INSERT INTO alert_messages (alert_id, phase, recipient, due_at)
				SELECT a.id, 'begun', r.user_id, ${ctx.now} FROM alerts a CROSS JOIN (${recipients}) r WHERE a.${isOpen}
				ON CONFLICT DO NOTHING`),
		),
	];
}

/** Notes that it is over: who was told that it began is told, and nobody where another tick was first. */
export function end(ctx: Context, { id, facts }: KeptAlert): Statement[] {
	return [
		ctx.db
			.update(alerts)
			.set({ endedAt: sql`max(${alerts.beganAt}, ${ctx.now})` })
			.where(and(eq(alerts.id, id), isNull(alerts.endedAt))),
		...(facts.programId === undefined ? [] : [notify(ctx, sql`id = ${id}`, 'over')]),
		ctx.db.run(sql`
			INSERT INTO alert_messages (alert_id, phase, recipient, due_at)
			SELECT alert_id, 'over', recipient, ${ctx.now} FROM alert_messages WHERE alert_id = ${id} AND phase = 'begun'
			ON CONFLICT DO NOTHING`),
	];
}

/** To every owner and admin of the program that it concerns. Follows at once upon what notes it: what changed nothing tells nobody. */
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
