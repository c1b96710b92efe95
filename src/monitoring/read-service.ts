import { desc, type SQL, sql } from 'drizzle-orm';
import { OPERATORS } from '../accounts/operators.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { readMeasured } from '../db/client.ts';
import { alerts } from '../db/schema/alerts.ts';
import { type AlertKind, troubleText } from '../domain/monitoring/alert.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { type OldClicks, oldClicksOf } from '../domain/monitoring/old-clicks.ts';
import { WAIT_MS } from '../domain/processors/inbox-schedule.ts';
import { Rejection } from '../domain/rejection.ts';
import { type CheckState, type ServiceCheck, serviceChecks, type Waiting, worstOf } from '../domain/monitoring/service-check.ts';
import { postbackChannel } from '../postbacks/postback-channel.ts';
import { dueSince } from '../webhooks/claim-due.ts';
import { isReached, isSendingAlerts } from './alert-message.ts';
import { selectOldClicks } from './estimate-old-clicks.ts';
import { troubleOf } from './kept-alert.ts';
import { selectClock } from './read-clock.ts';

/** Limits each count. */
const COUNTED = 10_000;
const ALERTS = 20;

export interface Service {
	readonly state: CheckState;
	readonly checks: readonly ServiceCheck[];
	readonly lastTickAt: number | null;
	/** Undefined if the platform does not report the size. */
	readonly bytes: number | undefined;
	readonly limitBytes: number;
	/** What retention would free in the largest programs without it. */
	readonly oldClicks: OldClicks;
	/** Upper bounds, because deleted rows count. */
	readonly rows: Rows;
	readonly outbox: Waiting;
	readonly deadLetters: Waiting;
	readonly processorEvents: Waiting;
	readonly webhookDeliveries: Waiting & { readonly failed: number };
	/** Since when a postback to a working system has been due. */
	readonly postbacks: Pick<Waiting, 'since'>;
	readonly emails: Waiting;
	readonly hasWebhook: boolean;
	readonly hasMail: boolean;
	/** Newest first. */
	readonly alerts: readonly Alert[];
}

interface Alert {
	readonly id: number;
	readonly kind: AlertKind;
	readonly message: string;
	readonly beganAt: number;
	readonly endedAt: number | null;
}

/** The state of the installation (decision 49). One round trip. Rejects with 403 if the actor is not an operator. */
export async function readService(ctx: Context, actor: Pick<Actor, 'userId'>): Promise<Service> {
	const { found, bytes } = await readMeasured(ctx.db, {
		facts: selectFacts(ctx, actor.userId),
		clock: selectClock(ctx),
		rows: selectRows(ctx),
		alerts: selectAlerts(ctx),
		oldClicks: selectOldClicks(ctx),
	});
	const [facts] = found.facts;
	const [clock] = found.clock;
	const [rows] = found.rows;
	if (!facts?.isOperator || !clock || !rows)
		throw new Rejection('forbidden', { message: 'Only an owner of the workspace that operates this service may do this' });
	const waiting = {
		outbox: { count: facts.outbox, since: facts.outboxSince },
		deadLetters: { count: facts.deadLetters, since: facts.deadSince },
		processorEvents: { count: facts.events, since: facts.eventsSince },
		webhookDeliveries: { count: facts.deliveries, since: facts.deliveriesSince, failed: facts.deliveriesFailed },
		postbacks: { since: facts.postbacksSince },
		emails: { count: facts.emails, since: facts.emailsSince },
	};
	const { databaseLimitBytes: limitBytes, alertWebhook } = ctx.settings;
	const oldClicks = oldClicksOf(found.oldClicks);
	const checks = serviceChecks(
		{ ...clock, bytes, limitBytes, oldClicks, ...waiting, isReporting: isSendingAlerts(ctx), unsentSince: facts.unsentSince },
		ctx.now,
	);
	return {
		state: worstOf(checks),
		checks,
		lastTickAt: clock.lastTickAt,
		bytes,
		limitBytes,
		oldClicks,
		rows,
		...waiting,
		hasWebhook: alertWebhook !== undefined,
		hasMail: ctx.mail !== undefined,
		alerts: found.alerts.map((alert) => ({ ...alert, message: troubleText(troubleOf(alert)) })),
	};
}

function selectFacts(ctx: Context, userId: number) {
	const { db, now } = ctx;
	const dead = sql`dead_letters WHERE replayed_at IS NULL`;
	const events = sql`processor_events INDEXED BY processor_events_due WHERE next_attempt_at IS NOT NULL AND state = 'received'`;
	const due = sql`webhook_deliveries WHERE state = 'pending' AND next_attempt_at <= ${now}`;
	const dueEmails = sql`letters_due WHERE due_at <= ${now} AND up_to_id > after_id`;
	const unsent = sql`alert_messages m JOIN alerts a ON a.id = m.alert_id WHERE m.sent_at IS NULL AND m.tries > 0 AND ${isReached(ctx, sql`m.recipient`)}`;
	return db
		.select({
			isOperator: sql`${userId} IN ${OPERATORS}`.mapWith(Boolean),
			outbox: countOf(sql`outbox`),
			outboxSince: sql<number | null>`(SELECT min(created_at) FROM outbox)`,
			deadLetters: countOf(dead),
			deadSince: sql<number | null>`(SELECT min(created_at) FROM (SELECT created_at FROM ${dead} LIMIT ${COUNTED}))`,
			events: countOf(events),
			eventsSince: sql<number | null>`(SELECT min(expires_at) - ${WAIT_MS} FROM (SELECT expires_at FROM ${events} LIMIT ${COUNTED}))`,
			deliveries: countOf(due),
			deliveriesSince: sql<number | null>`(SELECT min(next_attempt_at) FROM ${due})`,
			deliveriesFailed: countOf(
				sql`webhook_deliveries INDEXED BY webhook_deliveries_failed WHERE state = 'failed' AND settled_at > ${now - DAY_MS}`,
			),
			emails: countOf(dueEmails),
			postbacksSince: dueSince(ctx, postbackChannel),
			emailsSince: sql<number | null>`(SELECT min(due_at) FROM ${dueEmails})`,
			unsentSince: sql<number | null>`(SELECT min(iif(m.phase = 'begun', a.began_at, a.ended_at)) FROM ${unsent})`,
		})
		.from(sql`(SELECT 1)`);
}

/** The highest ids, because counting tens of millions of rows takes seconds. */
function selectRows({ db }: Context) {
	return db
		.select({
			clicks: sql<number>`(SELECT coalesce(max(clicks), 0) FROM click_count)`,
			customers: newest(sql`customers`),
			leads: newest(sql`affiliate_lead_events`),
			sales: newest(sql`affiliate_sale_events`),
			refunds: newest(sql`refund_events`),
			commissions: newest(sql`commissions`),
			ledgerEntries: newest(sql`ledger_entries`),
			processorEvents: newest(sql`processor_events`),
			webhookDeliveries: newest(sql`webhook_deliveries`),
			notifications: newest(sql`notifications`),
		})
		.from(sql`(SELECT 1)`);
}

type Rows = Awaited<ReturnType<typeof selectRows>>[number];

function selectAlerts({ db }: Context) {
	const { id, kind, facts, beganAt, endedAt } = alerts;
	return db.select({ id, kind, facts, beganAt, endedAt }).from(alerts).orderBy(desc(id)).limit(ALERTS);
}

function countOf(rows: SQL): SQL<number> {
	return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${COUNTED}))`;
}

function newest(table: SQL): SQL<number> {
	return sql<number>`(SELECT coalesce(max(id), 0) FROM ${table})`;
}
