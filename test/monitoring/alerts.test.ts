import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openContext, type OptionalBindings } from '../../src/context.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aReceiver, hearOfStripe } from '../support/alerts.ts';
import { alertStories, aWaitingPostback, type Stage } from '../support/alert-stories.ts';
import { atInstant } from '../support/at-instant.ts';
import { callWith } from '../support/bindings.ts';
import { deliver, tick } from '../support/deliver.ts';
import { aMailbox } from '../support/mail.ts';

// Alerts to the operator, sent to a real receiver and by email. They have their own database, because other tests cause problems in theirs.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DB = env.ALERTS_DB;

beforeAll(() => applyD1Migrations(DB, env.MIGRATIONS));

let token: string;
let programId: number;
const signUp = (name: string) =>
	callWith({ DB }, '/api/v1/auth/sign-up', { body: { email: `${name}@people.example`, password: 'correct horse battery', name } });

beforeAll(async () => {
	const { body } = await signUp('operator');
	token = String(Object(body['data']).token);
	await signUp('stranger');
});

let receiver: ReturnType<typeof aReceiver>;
let now = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
/** The bindings for the next ticks. */
let bindings: Partial<Env & OptionalBindings>;

beforeEach(async () => {
	vi.spyOn(console, 'error').mockReturnValue();
	vi.spyOn(console, 'info').mockReturnValue();
	receiver = aReceiver(DB);
	({ bindings } = receiver);
	await receiver.answer({ status: 200 });
	const made = await callWith({ DB }, '/api/v1/programs', { token, body: { name: 'Tea <!channel>' } });
	programId = Number(Object(made.body['data']).id);
	// Starts shortly before the minute of each hour in which this program's processors are checked.
	now = Math.floor(now / HOUR_MS + 1) * HOUR_MS + ((programId + 58) % 60) * MINUTE_MS;
	openContext(env, execution).clock.clear();
	await ticks(1);
	expect(await receiver.told()).toEqual([]);
});

afterEach(() => {
	vi.restoreAllMocks();
});

const execution = { waitUntil: () => undefined };
const aMinuteLater = <Result>(work: () => Promise<Result>) => atInstant((now += MINUTE_MS), work);
async function ticks(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn += 1) await aMinuteLater(() => tick(bindings));
}
const twoTicks = () => aMinuteLater(() => Promise.all([tick(bindings), tick(bindings)]));

const hear = (at: number) => hearOfStripe(DB, programId, at);
const run = (sql: string, ...values: unknown[]) =>
	DB.prepare(sql)
		.bind(...values)
		.run();

const stage: Stage = {
	DB,
	token: () => token,
	programId: () => programId,
	now: () => now,
	setLimit: (gigabytes) => (bindings = { ...bindings, DATABASE_LIMIT_GB: gigabytes }),
};
const TIMELINES = alertStories(stage);

describe.each(Object.entries(TIMELINES))('%s', (kind, { begin, end }) => {
	test('is sent once when it begins and once when it is over, though many ticks see it, two of them at once', async () => {
		await begin();
		await twoTicks();
		await twoTicks();
		await ticks(3);
		expect(await receiver.told()).toEqual([`${kind} begun`]);
		await end();
		await twoTicks();
		await ticks(3);
		expect(await receiver.told()).toEqual([`${kind} begun`, `${kind} over`]);
	});
});

test("failing postbacks to a partner's own system are not an error of the service", async () => {
	await aWaitingPostback(stage, 3);
	await ticks(2);
	expect(await receiver.told()).toEqual([]);
	await run('DELETE FROM postback_deliveries');
});

test('a dead letter whose work was done otherwise ends its alert', async () => {
	await run(
		"INSERT INTO outbox (program_id, id, kind, subject_id, created_at, failures) VALUES (?, 'given up', 'partner_joined', 0, ?, 30)",
		programId,
		now,
	);
	await deliver('affiliate-dead-letters', [{ body: { version: 2, kind: 'effects', rows: [[programId, 'given up']] } }], { DB });
	await ticks(2);
	expect(await receiver.told()).toEqual(['dead_letters begun']);
	await run("DELETE FROM outbox WHERE id = 'given up'");
	await ticks(1);
	expect(await receiver.told()).toEqual(['dead_letters begun', 'dead_letters over']);
});

const standStill = () => run("UPDATE cron_runs SET ran_at = ? WHERE name = 'tick'", now - 5 * MINUTE_MS);
const delivery = () => deliver('affiliate-effects', [{ body: { version: 1, kind: 'effects', outboxIds: ['gone'] } }], bindings);
const health = () => callWith(bindings, '/health');
const forgotten = () => openContext(env, execution).clock.clear();

describe('a stopped cron job', () => {
	test.each<[who: string, look: () => Promise<unknown>]>([
		['a queue delivery', delivery],
		['a health request', health],
	])('is reported once by %s, and its end by the next tick', async (_who, look) => {
		await standStill();
		for (let turn = 0; turn < 3; turn += 1) {
			await aMinuteLater<unknown>(look);
			forgotten();
			await aMinuteLater(() => Promise.all([look(), look()]));
			forgotten();
		}
		expect(await receiver.told()).toEqual(['cron_silent begun']);
		await twoTicks();
		await ticks(2);
		expect(await receiver.told()).toEqual(['cron_silent begun', 'cron_silent over']);
	});

	test('costs a delivery no query if nobody would be notified, and otherwise one a minute', async () => {
		const asking = async (given: Partial<Env & OptionalBindings>) => {
			const counted = countingTrips(DB);
			bindings = { ...given, DB: counted };
			for (let turn = 0; turn < 3; turn += 1) await atInstant(now, delivery);
			return counted.trips();
		};
		const alone = await asking({ DB });
		expect(await asking(receiver.bindings)).toBe(alone + 1);
	});
});

describe('a receiver', () => {
	const { begin, end } = TIMELINES.dead_letters;

	test.each([
		['fails', { status: 500 }],
		['redirects', { status: 302 }],
		['hangs', { delayMs: 6_000 }],
	])('that %s gets the alert later, once, and its end after its beginning', async (_what, page) => {
		// Cuts the Worker's timeouts to a hundredth, so that the test does not wait.
		const limit = AbortSignal.timeout.bind(AbortSignal);
		const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => limit(ms / 100));
		await receiver.answer(page);
		await begin();
		await ticks(2);
		await end();
		await ticks(1);
		patience.mockRestore();
		await receiver.answer({ status: 200 });
		const before = (await receiver.told()).length;
		await ticks(10);
		const told = (await receiver.told()).slice(before);
		expect(told).toEqual(['dead_letters begun', 'dead_letters over']);
	});

	test('gets the formats of Slack, Discord and programs, with names made harmless', async () => {
		await TIMELINES.processor_silent.begin();
		await ticks(1);
		const [posted] = await receiver.posted();
		expect(posted).toMatchObject({
			id: expect.stringMatching(/^alert_\d+_begun$/),
			alert: 'processor_silent',
			phase: 'begun',
			program_id: programId,
			text: expect.stringContaining('Tea &lt;!channel&gt;'),
			content: expect.stringContaining('Tea <!channel>'),
			allowed_mentions: { parse: [] },
			ended_at: null,
		});
		await hear(now);
		await ticks(1);
	});

	test('that is configured after an alert began gets its beginning once, and its end, but no alerts that are over', async () => {
		bindings = { DB };
		await begin();
		await ticks(1);
		await end();
		await ticks(1);
		await begin();
		await twoTicks();
		({ bindings } = receiver);
		await twoTicks();
		await ticks(2);
		expect(await receiver.told()).toEqual(['dead_letters begun']);
		await end();
		await ticks(2);
		expect(await receiver.told()).toEqual(['dead_letters begun', 'dead_letters over']);
	});

	test('that fails for weeks gets the alert once it works, if it is still open; until then the page says so', async () => {
		const check = async () => {
			const { body } = await atInstant(now, () => callWith(bindings, '/api/v1/service', { token }));
			const { checks }: { checks: { name: string; state: string; next_action: string | null }[] } = Object(body['data']);
			return checks.find(({ name }) => name === 'alerts');
		};
		await receiver.answer({ status: 404 });
		await begin();
		await ticks(2);
		expect(await check()).toMatchObject({ state: 'good' });
		await run('UPDATE alert_messages SET tries = 200, due_at = 0 WHERE sent_at IS NULL');
		now += 20 * DAY_MS;
		await ticks(1);
		expect(await check()).toMatchObject({
			state: 'bad',
			next_action: expect.stringMatching(/^An alert has not been sent since \d+ \w+ 20\d\d, \d\d:\d\d UTC\. .*alert_not_sent/),
		});
		await receiver.answer({ status: 200 });
		now += DAY_MS;
		const before = (await receiver.told()).length;
		await ticks(2);
		expect((await receiver.told()).slice(before)).toEqual(['dead_letters begun']);
		expect(await check()).toMatchObject({ state: 'good' });
		await end();
		await ticks(1);
	});

	test('is in no line of the log', async () => {
		const error = vi.spyOn(console, 'error').mockReturnValue();
		await receiver.answer({ status: 404 });
		await begin();
		await ticks(1);
		const lines = error.mock.calls.join();
		expect(lines).toContain('"event":"alert_not_sent"');
		expect(lines).not.toMatch(/hidden|receiver/);
		await receiver.answer({ status: 200 });
		await end();
		await ticks(10);
	});

	test.each(['http://hooks.example/', 'hooks.example', 'javascript:alert(1)'])('at %s is ignored', (ALERT_WEBHOOK_URL) => {
		expect(openContext({ ...env, ALERT_WEBHOOK_URL }, execution).settings.alertWebhook).toBeUndefined();
	});
});

test('the owners of the first workspace get emails, nobody else does, and none comes twice', async () => {
	const mailbox = aMailbox();
	bindings = { DB, ...mailbox.bindings };
	await TIMELINES.outbox_stuck.begin();
	await twoTicks();
	await ticks(2);
	await TIMELINES.outbox_stuck.end();
	await twoTicks();
	expect(mailbox.emails.map(({ to, subject }) => [to, subject])).toEqual([
		['operator@people.example', 'Alert: Notifications and totals are late'],
		['operator@people.example', 'Resolved: Notifications and totals are late'],
	]);
	expect(mailbox.emails[0]?.text).toContain('Check that the queue affiliate-effects has its consumer');
});

test('an alert that is still open is emailed once email is switched on', async () => {
	bindings = { DB };
	await TIMELINES.outbox_stuck.begin();
	await ticks(2);
	const mailbox = aMailbox();
	bindings = { DB, ...mailbox.bindings };
	await twoTicks();
	await ticks(1);
	expect(mailbox.emails.map(({ subject }) => subject)).toEqual(['Alert: Notifications and totals are late']);
	await TIMELINES.outbox_stuck.end();
	await ticks(1);
});

const notified = async () => {
	const { body } = await callWith({ DB }, `/api/v1/notifications?program_id=${programId}`, { token });
	const found: { kind: string; message: string }[] = Object(body['data']);
	return found.filter(({ kind }) => kind === 'processor_silent').map(({ message }) => message);
};

test("the program's owners and admins are notified in the service of a silent processor, once each", async () => {
	const before = (await notified()).length;
	await TIMELINES.processor_silent.begin();
	await twoTicks();
	await ticks(2);
	await hear(now);
	await twoTicks();
	const messages = await notified();
	expect(messages.length - before).toBe(2);
	expect(messages.slice(0, 2)).toEqual([
		expect.stringMatching(/^Tea .* receives events from Stripe again/),
		expect.stringMatching(/^Tea .* has received no event from Stripe since \d+ \w+ 20\d\d, \d\d:\d\d UTC,/),
	]);
});
