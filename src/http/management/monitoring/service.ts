import { Hono } from 'hono';
import { isoOf } from '../../../domain/instant.ts';
import { testedText } from '../../../domain/monitoring/alert.ts';
import type { Waiting } from '../../../domain/monitoring/service-check.ts';
import { readService } from '../../../monitoring/read-service.ts';
import { sendTestAlert } from '../../../monitoring/send-test-alert.ts';
import type { AppEnv } from '../../app-env.ts';
import { noQuery } from '../../validate.ts';
import { requireSession } from '../session.ts';

/** /api/v1/service, for operators. */
export const service = new Hono<AppEnv>()
	.get('/', requireSession, noQuery, async (c) => {
		const { ctx, actor } = c.var;
		const { state, checks, rows, bytes, limitBytes, oldClicks, alerts, ...found } = await readService(ctx, actor);
		return c.json({
			success: true,
			data: {
				state,
				checks: checks.map(({ name, state: of, nextAction }) => ({ name, state: of, next_action: nextAction })),
				cron: { last_tick_at: isoOf(found.lastTickAt) },
				database: {
					bytes: bytes ?? null,
					limit_bytes: limitBytes,
					old_clicks: { bytes: oldClicks.bytes, programs: [...oldClicks.programs] },
					rows: {
						clicks: rows.clicks,
						customers: rows.customers,
						leads: rows.leads,
						sales: rows.sales,
						refunds: rows.refunds,
						commissions: rows.commissions,
						ledger_entries: rows.ledgerEntries,
						processor_events: rows.processorEvents,
						webhook_deliveries: rows.webhookDeliveries,
						notifications: rows.notifications,
					},
				},
				outbox: waitingOnWire(found.outbox),
				dead_letters: waitingOnWire(found.deadLetters),
				processor_events: waitingOnWire(found.processorEvents),
				webhook_deliveries: { ...waitingOnWire(found.webhookDeliveries), failed: found.webhookDeliveries.failed },
				postbacks: { since: isoOf(found.postbacks.since) },
				letters: waitingOnWire(found.emails),
				told_by: { webhook: found.hasWebhook, mail: found.hasMail },
				alerts: alerts.map(({ id, kind, message, beganAt, endedAt }) => ({
					id,
					kind,
					message,
					began_at: isoOf(beganAt),
					ended_at: isoOf(endedAt),
				})),
			},
		});
	})
	.post('/test-alert', requireSession, noQuery, async (c) => {
		const { ctx, actor } = c.var;
		const tested = await sendTestAlert(ctx, actor);
		const { webhook, mail } = tested;
		const { isOk, message } = testedText(tested);
		return c.json({
			success: true,
			data: {
				ok: isOk,
				message,
				webhook: webhook && { sent: webhook.isTaken, status: webhook.status },
				mail: mail && { sent: mail.isTaken, to: mail.to },
			},
		});
	});

function waitingOnWire({ count, since }: Waiting) {
	return { count, since: isoOf(since) };
}
