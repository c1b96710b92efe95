import { and, inArray, isNull, sql } from 'drizzle-orm';
import { OPERATORS } from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import { read, write } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import { alerts } from '../db/schema/alerts.ts';
import { alertBody, type AlertMessage, subjectOf, wordsOf } from '../domain/monitoring/alert.ts';
import type { Sent } from '../mailer.ts';
import { address, settle, take, WEBHOOK } from './alert-message.ts';
import { troubleOf } from './kept-alert.ts';
import { postAlert } from './post-alert.ts';

/** These tries take about four days. Messages of open alerts are never given up. */
const MOST_TRIES = 50;

/** Sends each message once, unless the sender dies before recording it. Failures are retried. Returns how many were sent. */
export async function sendAlerts(ctx: Context): Promise<number> {
	const { taken } = await write(ctx.db, [address(ctx)], { taken: take(ctx) });
	if (taken.length === 0) return 0;
	const { contents, people } = await read(ctx.db, {
		contents: ctx.db
			.select()
			.from(alerts)
			.where(inArray(alerts.id, [...new Set(taken.map(({ alertId }) => alertId))])),
		people: ctx.db
			.select({ id: users.id, email: users.email })
			.from(users)
			.where(and(sql`${users.id} IN ${OPERATORS}`, isNull(users.deactivatedAt))),
	});
	const outcomes = await Promise.all(
		taken.map(async (message): Promise<Sent> => {
			const alert = contents.find(({ id }) => id === message.alertId);
			if (!alert) return 'never';
			const alertMessage: AlertMessage = { ...alert, ...troubleOf(alert), phase: message.phase };
			const person = people.find(({ id }) => id === message.recipient);
			const outcome = message.recipient === WEBHOOK ? await post(ctx, alertMessage) : await mail(ctx, alertMessage, person);
			if (outcome !== 'later' || message.tries < MOST_TRIES || alert.endedAt === null) return outcome;
			ctx.log({ level: 'error', event: 'alert_given_up', alertId: alert.id, phase: message.phase, tries: message.tries });
			return 'never';
		}),
	);
	await write(
		ctx.db,
		taken.filter((_, index) => outcomes[index] !== 'later').map((message) => settle(ctx, message)),
	);
	return outcomes.filter((outcome) => outcome === 'sent').length;
}

/** Former operators receive nothing. */
async function mail(ctx: Context, alert: AlertMessage, person: { readonly email: string } | undefined): Promise<Sent> {
	if (!person || !ctx.mail) return 'never';
	return ctx.mail({ kind: 'alert', to: person.email, subject: subjectOf(alert), message: wordsOf(alert) });
}

async function post(ctx: Context, alert: AlertMessage): Promise<Sent> {
	const { id: alertId, kind, phase } = alert;
	if (ctx.settings.alertWebhook === undefined) return 'later';
	const { isTaken } = await postAlert(ctx, alertBody(alert, ctx.settings.publicUrl), { alertId, kind, phase });
	return isTaken ? 'sent' : 'later';
}
