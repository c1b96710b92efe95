import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openContext } from '../../src/context.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { sendEmails } from '../../src/notifications/send-emails.ts';
import { losingAnswers } from '../../testing/d1/failing.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { tick } from '../support/deliver.ts';
import { rows } from '../support/funnel.ts';
import { anEarnedCommission, aPartner, aRefund, aShop, type Earned, type Shop } from '../support/ledger.ts';
import { aMailbox, mailError, type Mailbox } from '../support/mail.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { api, signUp } from '../support/world.ts';

// The tick turns notifications into emails.

const MINUTES = MINUTE_MS;

/** Sends emails as a tick does, this many ms from now. */
function mail(mailbox: Mailbox, inMs = 0, DB: D1Database = env.DB) {
	return sendEmails(openContext({ ...env, ...mailbox.bindings, DB }, { waitUntil: () => undefined }, Date.now() + inMs));
}

const emailsTo = ({ emails }: Mailbox, { email }: { readonly email: string }) => emails.filter(({ to }) => to === email);
const subjectsTo = (mailbox: Mailbox, person: { readonly email: string }) => emailsTo(mailbox, person).map(({ subject }) => subject);
const waitingFor = ({ person }: SignedInPartner) =>
	rows('SELECT pace, tries FROM letters_due WHERE user_id = ? ORDER BY pace', person.userId);
const choose = ({ token }: { readonly token: string }, body: object) =>
	api('/api/v1/me/mail-preferences', { method: 'PATCH', token, body });

/** Sends what other tests have left, and marks earlier notifications as old. */
beforeAll(async () => {
	for (let turn = 0; turn < 3; turn += 1) await mail(aMailbox());
});

async function aWorld(): Promise<{ shop: Shop; partner: SignedInPartner }> {
	const shop = await aShop(await signUp());
	return { shop, partner: await aSignedInPartner(shop) };
}

/** Its partner has been notified. */
async function aNotifiedCommission(shop: Shop, partner: SignedInPartner, amountCents = 1_000): Promise<Earned> {
	const earned = await anEarnedCommission(shop, partner, { amountCents });
	await tick();
	return earned;
}

async function aNotifiedRefund(shop: Shop, earned: Earned): Promise<void> {
	await aRefund(shop, earned);
	await tick();
}

async function payOut(shop: Shop, earned: Earned): Promise<void> {
	await api(`${shop.path}/payouts`, { token: shop.owner.token, body: { commission_ids: [earned.commissionId] } });
	await tick();
}

describe('an email', () => {
	test('reports a refund within a minute, once', async () => {
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const mailbox = aMailbox();
		await mail(mailbox);
		const [email, ...others] = emailsTo(mailbox, partner.person);
		expect(others).toEqual([]);
		expect(email?.subject).toMatch(/^Commission reversed: Program-/);
		expect(email?.text).toContain('was reversed because its sale was refunded: 10.00 USD was deducted.');
		expect(email?.headers).toEqual({
			'Auto-Submitted': 'auto-generated',
			'List-Unsubscribe': expect.stringMatching(/^<https:\/\/track\.example\/unsubscribe\/\d+-[0-9a-f]{32}>$/),
			'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
		});
		await mail(mailbox);
		await mail(mailbox, 11 * MINUTES);
		expect(subjectsTo(mailbox, partner.person)).toHaveLength(1);
		expect(await waitingFor(partner)).toEqual([{ pace: 'daily', tries: 0 }]);
	});

	test('warns owners and admins about a refund after the payout', async () => {
		const { shop, partner } = await aWorld();
		const earned = await aNotifiedCommission(shop, partner);
		await payOut(shop, earned);
		await aNotifiedRefund(shop, earned);
		const mailbox = aMailbox();
		await mail(mailbox);
		expect(subjectsTo(mailbox, shop.owner)).toEqual([expect.stringMatching(/^Please review a commission: Program-/)]);
		expect(subjectsTo(mailbox, partner.person)).toEqual([expect.stringMatching(/^Commissions and payouts \(2\): Program-/)]);
	});

	test('is sent only to people with an active account, not to a partner without one', async () => {
		const { shop, partner } = await aWorld();
		const stranger = await aPartner(shop);
		const earned = await anEarnedCommission(shop, stranger, { amountCents: 100 });
		await aNotifiedRefund(shop, earned);
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const mailbox = aMailbox();
		await env.DB.prepare('UPDATE users SET deactivated_at = 1 WHERE id = ?').bind(partner.person.userId).run();
		await mail(mailbox);
		expect(mailbox.emails.filter(({ to }) => to === stranger.email || to === partner.email || to === partner.person.email)).toEqual([]);
	});

	test('omits notifications that were read before it was sent', async () => {
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		await api('/api/v1/notifications', { method: 'PATCH', token: partner.token, body: {} });
		const mailbox = aMailbox();
		await mail(mailbox);
		expect(subjectsTo(mailbox, partner.person)).toEqual([]);
	});

	test("collects a day's earnings and shows their sum", async () => {
		const { shop, partner } = await aWorld();
		for (const amountCents of [1_000, 250, 3_000_000]) await anEarnedCommission(shop, partner, { amountCents });
		await anEarnedCommission(shop, partner, { amountCents: 500, currency: 'EUR' });
		await tick();
		const mailbox = aMailbox();
		await mail(mailbox);
		await mail(mailbox, DAY_MS - MINUTES);
		expect(subjectsTo(mailbox, partner.person)).toEqual([]);
		await mail(mailbox, DAY_MS + MINUTES);
		const [email] = emailsTo(mailbox, partner.person);
		expect(email?.subject).toBe('You earned 4 commissions');
		expect(email?.text).toMatch(/\n- Program-\S+: 1 commission, 5\.00 EUR\n- Program-\S+: 3 commissions, 30,?012\.50 USD\n/);
		expect(mailbox.emails.filter(({ to }) => to === partner.person.email)).toHaveLength(1);
	});

	test('is sent at least ten minutes after the last one, with everything since', async () => {
		const { shop, partner } = await aWorld();
		const mailbox = aMailbox();
		const earned = [];
		for (let count = 0; count < 23; count += 1) earned.push(await anEarnedCommission(shop, partner, { amountCents: 100 }));
		await tick();
		const [first, ...later] = earned;
		if (first) await aNotifiedRefund(shop, first);
		await mail(mailbox);
		for (const one of later) await aRefund(shop, one);
		await tick();
		await mail(mailbox, 5 * MINUTES);
		expect(subjectsTo(mailbox, partner.person)).toHaveLength(1);
		await mail(mailbox, 11 * MINUTES);
		const [, email, ...others] = emailsTo(mailbox, partner.person);
		expect([email?.subject, others]).toEqual([expect.stringMatching(/^Commission reversed \(22\): /), []]);
		expect(email?.text?.match(/^- /gm)).toHaveLength(20);
		expect(email?.text).toContain('And 2 more. Sign in to see them all.');
	});
});

describe('a failed email', () => {
	test('is retried until it is sent, while others get theirs', async () => {
		const logged = vi.spyOn(console, 'error').mockReturnValue();
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		let isOut = true;
		const mailbox = aMailbox(({ to }) => {
			if (isOut && to === partner.person.email) throw mailError('E_RATE_LIMIT_EXCEEDED', `not to ${String(to)}`);
		});
		await mail(mailbox);
		await mail(mailbox, MINUTES);
		expect(subjectsTo(mailbox, partner.person)).toEqual([]);
		expect(await waitingFor(partner)).toContainEqual({ pace: 'soon', tries: 1 });
		isOut = false;
		await mail(mailbox, 16 * MINUTES);
		expect(subjectsTo(mailbox, partner.person)).toHaveLength(1);
		expect(JSON.stringify(logged.mock.calls)).not.toContain(partner.person.email);
		logged.mockRestore();
	});

	test.each([
		['at once if a retry cannot help', 'E_RECIPIENT_SUPPRESSED', 1],
		['after seven tries', 'E_DAILY_LIMIT_EXCEEDED', 7],
	])('is given up %s, and the log says so without an address', async (_how, code, tries) => {
		const logged = vi.spyOn(console, 'error').mockReturnValue();
		const { shop, partner } = await aWorld();
		await choose(partner, { kinds: { commission_created: false } });
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		let asked = 0;
		const mailbox = aMailbox(({ to }) => {
			if (to !== partner.person.email) return;
			asked += 1;
			throw mailError(code, String(to));
		});
		for (let turn = 0; turn < 10; turn += 1) await mail(mailbox, turn * 20 * 60 * MINUTES);
		const lines = logged.mock.calls.map(([line]) => String(line));
		logged.mockRestore();
		const given = { level: 'error', event: 'letter_given_up', userId: partner.person.userId, pace: 'soon', tries };
		expect([asked, lines.filter((line) => line.includes('letter_given_up')).map((line): unknown => JSON.parse(line))]).toEqual([
			tries,
			[{ ...given, requestId: expect.any(String) }],
		]);
		expect(lines.join('\n')).not.toContain(partner.person.email);
	});

	test("does not stop the tick's other work if the platform throws", async () => {
		const logged = vi.spyOn(console, 'error').mockReturnValue();
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const { bindings } = aMailbox(() => {
			throw new Error('The platform is out of order');
		});
		await anEarnedCommission(shop, partner, { amountCents: 700 });
		await tick(bindings);
		logged.mockRestore();
		const { body } = await api<readonly object[]>('/api/v1/notifications', { token: partner.token });
		expect(body.data).toHaveLength(3);
		await mail(aMailbox(), 16 * MINUTES);
	});
});

describe('an email is sent once', () => {
	test('by four concurrent ticks', async () => {
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const mailbox = aMailbox();
		await Promise.all([mail(mailbox), mail(mailbox), mail(mailbox), mail(mailbox)]);
		expect(subjectsTo(mailbox, partner.person)).toHaveLength(1);
	});

	test('if answers of the database are lost', async () => {
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const mailbox = aMailbox();
		await mail(mailbox, 0, losingAnswers(env.DB, 2));
		// The attempt whose response was lost may still hold the lease.
		await mail(mailbox, 16 * MINUTES);
		await mail(mailbox, 60 * MINUTES);
		expect(subjectsTo(mailbox, partner.person)).toHaveLength(1);
	});

	test('if its message is delivered twice', async () => {
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const mailbox = aMailbox();
		await mail(mailbox);
		await tick(mailbox.bindings);
		await mail(mailbox, 30 * MINUTES);
		expect(subjectsTo(mailbox, partner.person)).toHaveLength(1);
	});
});

test('a tick without emails makes two trips', async () => {
	for (let turn = 0; turn < 2; turn += 1) await mail(aMailbox());
	const DB = countingTrips(env.DB);
	await mail(aMailbox(), 0, DB);
	expect(DB.trips()).toBeLessThanOrEqual(2);
});

describe('if mail is off', () => {
	test('a tick neither queries nor logs anything about emails', async () => {
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const DB = countingTrips(env.DB);
		const ctx = openContext({ ...env, DB }, { waitUntil: () => undefined });
		expect([await sendEmails(ctx), DB.trips()]).toEqual([undefined, 0]);
		expect(await waitingFor(partner)).toEqual([]);
	});

	test('notifications older than a day are not emailed once it is on', async () => {
		const { shop, partner } = await aWorld();
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const mailbox = aMailbox();
		await mail(mailbox, 2 * DAY_MS);
		expect(subjectsTo(mailbox, partner.person)).toEqual([]);
	});
});

describe('preferences', () => {
	test('apply even if they change after the notification', async () => {
		const { shop, partner } = await aWorld();
		await choose(partner, { kinds: { commission_reversed: false } });
		await aNotifiedRefund(shop, await aNotifiedCommission(shop, partner));
		const mailbox = aMailbox();
		await mail(mailbox);
		expect(subjectsTo(mailbox, partner.person)).toEqual([]);
		await choose(partner, { notifications: false });
		await mail(mailbox, DAY_MS + MINUTES);
		expect([subjectsTo(mailbox, partner.person), await waitingFor(partner)]).toEqual([[], []]);
	});
});
