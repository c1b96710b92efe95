import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { OPERATORS } from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import { read, type Statement, write } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import { alertMessages, alerts } from '../db/schema/alerts.ts';
import { alertBody, type AlertMessage, subjectOf, wordsOf } from '../domain/alert.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/calendar.ts';
import { factsOf } from './kept-alert.ts';

/** Messages that are taken at once: an alert is rare. */
const AT_ONCE = 20;
/** For how long who takes one has it to themselves, and after how long it is tried again; twice as long each time, up to two hours. */
const LEASE_MS = 2 * MINUTE_MS;
const LONGEST_LEASE = 6;
/** After so many tries, some four days, a message is given up. */
const MOST_TRIES = 50;
const TIMEOUT_MS = 5 * SECOND_MS;

/** The one of them that is no user. */
const WEBHOOK = 0;

type Taken = Pick<typeof alertMessages.$inferSelect, 'alertId' | 'phase' | 'recipient' | 'tries'>;

/** Whether anybody is told of alerts. */
export function isTellingAlerts({ mail, settings }: Pick<Context, 'mail' | 'settings'>): boolean {
	return mail !== undefined || settings.alertWebhook !== undefined;
}

/**
 * Tells of what began and of what is over: each message once, unless who sends it dies between the message and its note. What fails is
 * tried again. Returns how many were sent.
 */
export async function tellAlerts(ctx: Context): Promise<number> {
	const { taken } = await write(ctx.db, [], { taken: take(ctx) });
	if (taken.length === 0) return 0;
	const { contents, people } = await read(ctx.db, {
		contents: ctx.db
			.select()
			.from(alerts)
			.where(inArray(alerts.id, [...new Set(taken.map(({ alertId }) => alertId))])),
		people: ctx.db
			.select({ id: users.id, email: users.email, name: users.name })
			.from(users)
			.where(and(sql`${users.id} IN ${OPERATORS}`, isNull(users.deactivatedAt))),
	});
	const outcomes = await Promise.all(
		taken.map(async (message) => {
			const alert = contents.find(({ id }) => id === message.alertId);
			if (!alert) return 'never';
			const told: AlertMessage = { ...alert, phase: message.phase, facts: factsOf(alert.facts) };
			const person = people.find(({ id }) => id === message.recipient);
			if (message.recipient === WEBHOOK) return post(ctx, told);
			// Who is no owner any more is told nothing.
			return person && ctx.mail ? ctx.mail({ kind: 'alert', to: person.email, subject: subjectOf(told), message: wordsOf(told) }) : 'never';
		}),
	);
	await write(
		ctx.db,
		taken.flatMap((message, index) => settled(ctx, message, outcomes[index] ?? 'later')),
	);
	return outcomes.filter((outcome) => outcome === 'sent').length;
}

/** Takes those whose time has come, and whom there is a way to tell; the end of an alert not before its beginning was told. */
function take({ db, now, mail, settings }: Context) {
	const { alertId, phase, recipient, dueAt, tries } = alertMessages;
	const due = sql`(
		SELECT m.alert_id, m.phase, m.recipient FROM alert_messages m
		WHERE m.sent_at IS NULL AND m.due_at <= ${now}
			AND iif(m.recipient = ${WEBHOOK}, ${settings.alertWebhook !== undefined}, ${mail !== undefined})
			AND (m.phase = 'begun' OR NOT EXISTS (
				SELECT 1 FROM alert_messages b
				WHERE b.alert_id = m.alert_id AND b.phase = 'begun' AND b.recipient = m.recipient AND b.sent_at IS NULL
			))
		ORDER BY m.due_at, m.alert_id LIMIT ${AT_ONCE}
	)`;
	return db
		.update(alertMessages)
		.set({ dueAt: sql`${now} + (${LEASE_MS} << min(${tries}, ${LONGEST_LEASE}))`, tries: sql`${tries} + 1` })
		.where(sql`(${alertId}, ${phase}, ${recipient}) IN ${due}`)
		.returning({ alertId, phase, recipient, dueAt, tries });
}

/** What becomes of the message. One that is to be tried again keeps its lease. */
function settled(ctx: Context, { alertId, phase, recipient, tries }: Taken, outcome: 'sent' | 'later' | 'never'): Statement[] {
	const isGivenUp = outcome === 'later' && tries >= MOST_TRIES;
	if (isGivenUp) ctx.log({ level: 'error', event: 'alert_given_up', alertId, phase, tries });
	if (outcome === 'later' && !isGivenUp) return [];
	return [
		ctx.db
			.update(alertMessages)
			.set({ sentAt: ctx.now })
			.where(and(eq(alertMessages.alertId, alertId), eq(alertMessages.phase, phase), eq(alertMessages.recipient, recipient))),
	];
}

/** The address may hold a secret: no line of the log has it. */
async function post(ctx: Context, alert: AlertMessage): Promise<'sent' | 'later'> {
	const { alertWebhook, publicUrl } = ctx.settings;
	const failed = (status: number | null, fault: object = {}) =>
		ctx.log({ level: 'error', event: 'alert_not_sent', alertId: alert.id, kind: alert.kind, phase: alert.phase, status, ...fault });
	if (alertWebhook === undefined) return 'later';
	try {
		const response = await ctx.fetch(alertWebhook, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(alertBody(alert, publicUrl)),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		await response.body?.cancel();
		if (response.ok) return 'sent';
		failed(response.status);
	} catch (error) {
		failed(null, { error: error instanceof Error ? error.name : typeof error });
	}
	return 'later';
}
