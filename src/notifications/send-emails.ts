import { and, eq, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read, type Statement, write } from '../db/client.ts';
import { dueEmails } from '../db/schema/mail.ts';
import { APART_MS, LEASE_MS, MOST_TRIES } from '../domain/people/mail-preference.ts';
import type { Mailer, Sent } from '../mailer.ts';
import { type DueEmail, readContents } from './email-content.ts';
import { planEmails, selectProgress } from './plan-emails.ts';

/** Concurrent requests. */
const AT_ONCE = 10;
const EMAILS_PER_TICK = 200;

/**
 * Retries failures, but not forever. A tick that dies after sending sends again, so no email is lost. Returns how many were sent; undefined
 * if mail is off.
 */
export async function sendEmails(ctx: Context): Promise<number | undefined> {
	const { mail } = ctx;
	if (!mail) return undefined;
	const { progress } = await read(ctx.db, { progress: selectProgress(ctx) });
	await planEmails(ctx, progress[0]);
	let sent = 0;
	for (let round = 0; round < EMAILS_PER_TICK / AT_ONCE; round += 1) {
		const taken = await take(ctx);
		const outcomes = await sendTaken(ctx, mail, taken);
		sent += outcomes.filter((outcome) => outcome === 'sent').length;
		// The platform accepts no more now.
		if (taken.length < AT_ONCE || outcomes.includes('later')) break;
	}
	return sent;
}

/** Claims due emails, soon ones before daily ones. A lease keeps other ticks away. */
async function take(ctx: Context): Promise<DueEmail[]> {
	const due = ctx.db
		.select({ userId: dueEmails.userId, pace: dueEmails.pace })
		.from(dueEmails)
		.where(lte(dueEmails.dueAt, ctx.now))
		.orderBy(sql`${dueEmails.pace} = 'daily'`, dueEmails.dueAt)
		.limit(AT_ONCE);
	const { taken } = await write(ctx.db, [], {
		taken: ctx.db
			.update(dueEmails)
			.set({
				dueAt: sql`${ctx.now} + (${LEASE_MS} << min(${dueEmails.tries}, ${MOST_TRIES}))`,
				tries: sql`${dueEmails.tries} + 1`,
			})
			.where(sql`(${dueEmails.userId}, ${dueEmails.pace}) IN ${due}`)
			.returning(),
	});
	return taken;
}

async function sendTaken(ctx: Context, mail: Mailer, taken: readonly DueEmail[]): Promise<readonly (Sent | 'nothing')[]> {
	if (taken.length === 0) return [];
	const emails = await readContents(ctx, taken);
	const outcomes = await Promise.all(emails.map(async (email) => (email ? mail(email) : 'nothing')));
	await write(
		ctx.db,
		taken.flatMap((email, index) => settled(ctx, email, outcomes[index] ?? 'later')),
	);
	return outcomes;
}

/** An email to be retried keeps its lease. */
function settled(ctx: Context, email: DueEmail, outcome: Sent | 'nothing'): Statement[] {
	const { userId, pace, upToId, tries } = email;
	const isGivenUp = outcome === 'never' || (outcome === 'later' && tries >= MOST_TRIES);
	if (isGivenUp) ctx.log({ level: 'error', event: 'letter_given_up', userId, pace, tries });
	if (outcome === 'later' && !isGivenUp) return [];
	const row = and(eq(dueEmails.userId, userId), eq(dueEmails.pace, pace), eq(dueEmails.dueAt, email.dueAt));
	// Notifications planned since then go into the next email.
	const rest = ctx.db
		.update(dueEmails)
		.set({ afterId: upToId, dueAt: ctx.now + (outcome === 'nothing' ? 0 : APART_MS[pace]), tries: 0 })
		.where(row);
	const isAll = eq(dueEmails.upToId, upToId);
	return outcome === 'nothing' ? [ctx.db.delete(dueEmails).where(and(row, isAll)), rest] : [rest];
}
