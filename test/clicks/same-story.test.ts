import { beforeAll, describe, expect, test } from 'vitest';
import { retireClicks } from '../../src/clicks/retire-clicks.ts';
import { addDays, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import type { ClickJob } from '../../src/job.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { answersAt, aPostback, aReceiver, asMessages, calledAt, callsOf } from '../postbacks/support.ts';
import { atInstant } from '../support/at-instant.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { contextAt } from '../support/clock.ts';
import { deliver } from '../support/deliver.ts';
import { type Funnel, rows } from '../support/funnel.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { aClickJob } from '../support/report.ts';
import { api, aProgram, signUp, unique } from '../support/world.ts';

// One story in two programs: one keeps clicks for ever, the other for 67 days, a week longer than its attribution window. Every answer,
// report and postback must be the same. The days are fixed, and day 0 is the day of the clicks that are used.

const DAY_0 = '2026-04-20';
const WINDOW_DAYS = 60;
const RETENTION_DAYS = 67;
const RANGE = `dateFrom=${addDays(DAY_0, -50)}&dateTo=${addDays(DAY_0, 210)}`;

const noonOf = (day: number) => Date.parse(`${DAY_0}T12:00:00Z`) + day * DAY_MS;

const CLICKS = {
	// Long before, so that they are retired on day 45.
	'of nobody, first': { day: -50, country: 'DE', referrerUrl: 'https://news.example/', subId: 'n-1' },
	'of nobody, second': { day: -40, country: 'FR', referrerUrl: null, subId: null },
	"Ada's": { day: -40, country: 'US', referrerUrl: 'https://blog.example/', subId: 'ada-1' },
	"Ben's": { day: 0, country: 'DE', referrerUrl: 'https://news.example/', subId: 'ben-1' },
	"Cleo's": { day: 0, country: 'IT', referrerUrl: null, subId: 'cleo-1' },
	"Dora's": { day: 0, country: 'ES', referrerUrl: 'https://blog.example/', subId: 'dora-1' },
	'of nobody, third': { day: 0, country: null, referrerUrl: null, subId: null },
} as const satisfies Readonly<Record<string, Partial<ClickJob> & { readonly day: number }>>;

type ClickName = keyof typeof CLICKS;
const CLICK_NAMES = Object.keys(CLICKS).filter((name): name is ClickName => Object.hasOwn(CLICKS, name));

/** What happens after the clicks, in order. */
const STORY: readonly (readonly [day: number, route: string, click: ClickName | null, body: Readonly<Record<string, unknown>>])[] = [
	[-39, 'lead', "Ada's", { customer_key: 'ada' }],
	[-38, 'sale', null, { customer_key: 'ada', transaction_id: 'order-1', amount_cents: 5_000 }],
	[45, 'lead', "Ben's", { customer_key: 'ben' }],
	[45, 'sale', null, { customer_key: 'ben', transaction_id: 'order-2', amount_cents: 7_000 }],
	[45, 'sale', "Cleo's", { customer_key: 'cleo', transaction_id: 'order-3', amount_cents: 9_000 }],
	// Ada's click is older than the retention by now.
	[45, 'sale', null, { customer_key: 'ada', transaction_id: 'order-4', amount_cents: 11_000 }],
	[45, 'refund', null, { transaction_id: 'order-2', refund_amount_cents: 1_000, refund_id: 'refund-1' }],
	// A lead and a sale that come after the window, while the click is still stored.
	[64, 'lead', "Dora's", { customer_key: 'dora' }],
	[65, 'sale', null, { customer_key: 'dora', transaction_id: 'order-5', amount_cents: 1_500 }],
	[200, 'sale', null, { customer_key: 'ada', transaction_id: 'order-6', amount_cents: 13_000 }],
	[200, 'sale', null, { customer_key: 'ben', transaction_id: 'order-7', amount_cents: 15_000 }],
	[200, 'refund', null, { transaction_id: 'order-6' }],
];

const READ_ON_DAYS = [-37, 45, 65, 200];

interface World extends Funnel {
	readonly partner: SignedInPartner;
	readonly receiver: string;
	readonly path: string;
	/** Transaction ids are unique across all programs, so they need a prefix. */
	readonly prefix: string;
	readonly clickIds: Map<ClickName, string>;
	readonly answers: unknown[];
	/** Keyed by day. */
	readonly reports: Record<number, Readonly<Record<string, unknown>>>;
}

interface Told extends Pick<World, 'answers' | 'reports'> {
	/** The queries that the partner's system received. */
	readonly calls: readonly string[];
	readonly retired: number;
}

let worlds: readonly World[];
let kept: Told;
let expired: Told;
beforeAll(async () => {
	worlds = [await aWorld(), await retaining(await aWorld())];
	await tell();
	const [first, second] = await Promise.all(worlds.map(toldIn));
	if (!first || !second) throw new Error('There are two programs');
	[kept, expired] = [first, second];
});

test('older clicks are retired in one of the programs only', () => {
	expect([kept.retired, expired.retired]).toEqual([0, 3]);
});

test('every lead, sale and refund gets the same answer', () => {
	expect(kept.answers).toEqual(STORY.map(() => expect.objectContaining({ status: 200 })));
	expect(expired.answers).toEqual(kept.answers);
});

test('every postback calls the same URL with the same sub_id', () => {
	expect(kept.calls.filter((url) => url.includes('s=ada-1'))).toHaveLength(2);
	expect(kept.calls.filter((url) => url.includes('e=sale'))).toHaveLength(3);
	expect(expired.calls).toEqual(kept.calls);
});

describe.each(READ_ON_DAYS)('on day %i', (day) => {
	const reads = Object.keys(readsOf({ id: 0, path: '', partner: { own: '' } }));
	const each = ['each commission', 'each explanation', 'each customer'];

	test.each(reads)('%s is the same', (read) => {
		expect(kept.reports[day]?.[read]).toMatchObject({ status: 200 });
		expect(expired.reports[day]?.[read]).toEqual(kept.reports[day]?.[read]);
	});

	test.each(each)('%s is the same', (read) => {
		expect(kept.reports[day]?.[read]).not.toEqual([]);
		expect(expired.reports[day]?.[read]).toEqual(kept.reports[day]?.[read]);
	});
});

test('a lead of a retired click is attributed as well, but has no country, source and sub_id', async () => {
	const stories = [];
	for (const world of worlds) {
		const lead = { click_id: world.clickIds.get('of nobody, first'), customer_key: 'eve' };
		const answer = await happen(world, noonOf(205), 'lead', lead);
		const customers = await rows("SELECT country, source, sub_id FROM customers WHERE customer_key = 'eve' AND program_id = ?", world.id);
		stories.push({ answer, customers });
	}
	expect(stories[1]?.answer).toEqual(stories[0]?.answer);
	expect(stories.map(({ customers }) => customers)).toEqual([
		[{ country: 'DE', source: 'news.example', sub_id: 'n-1' }],
		[{ country: null, source: null, sub_id: null }],
	]);
});

async function aWorld(): Promise<World> {
	const [owner, person] = [await signUp(), await signUp()];
	return atInstant(noonOf(-51), async () => {
		const program = await aProgram(owner, {
			name: 'Shop',
			commission: { type: 'percent', percent: 20 },
			time_zone: 'UTC',
			cookie_window_days: WINDOW_DAYS,
		});
		const path = `/api/v1/programs/${program.id}`;
		const partner = await aSignedInPartner({ ...program, owner, path }, {}, person);
		const receiver = aReceiver();
		await answersAt(receiver, { status: 200 });
		await aPostback(partner, `${receiver}?s={sub_id}&a={amount}&c={currency}&e={event}`);
		const shortLink = partner.links[0]?.short_link ?? '';
		const ids = { partnerId: partner.id, partnerProgramId: partner.partner_program_id };
		return {
			...program,
			...ids,
			owner,
			path,
			partner,
			receiver,
			shortLink,
			prefix: unique('shop'),
			clickIds: new Map(),
			answers: [],
			reports: {},
		};
	});
}

async function retaining(world: World): Promise<World> {
	await rows('UPDATE programs SET click_retention_days = ?, retire_clicks_at = 0 WHERE id = ?', RETENTION_DAYS, world.id);
	return world;
}

/** Both stories happen at the same time, because a tick also works for other programs. */
async function tell(): Promise<void> {
	const days = [...Object.values(CLICKS).map(({ day }) => day), ...STORY.map(([day]) => day), ...READ_ON_DAYS];
	for (const day of [...new Set(days)].toSorted((a, b) => a - b)) {
		for (const world of worlds) await clicksOf(world, day);
		await retireClicks(contextAt(noonOf(day)), { programs: 100, slices: 100 });
		for (const [index, [, route, click, body]] of STORY.filter(([on]) => on === day).entries()) {
			for (const world of worlds) {
				const clickId = click === null ? {} : { click_id: world.clickIds.get(click) };
				world.answers.push(await happen(world, noonOf(day) + index * HOUR_MS, route, { ...clickId, ...ofProgram(world, body) }));
			}
		}
		if (!READ_ON_DAYS.includes(day)) continue;
		for (const world of worlds) world.reports[day] = await readAll(world, noonOf(day) + 6 * HOUR_MS);
	}
}

function ofProgram({ prefix }: World, body: Readonly<Record<string, unknown>>): object {
	return 'transaction_id' in body ? { ...body, transaction_id: `${prefix}-${String(body['transaction_id'])}` } : body;
}

async function toldIn(world: World): Promise<Told> {
	await expectNothingToRepair(world);
	const calls = (await callsOf(world.receiver)).map((url) => url.slice(world.receiver.length));
	const days = await rows<{ clicks: number }>('SELECT clicks FROM retired_click_days WHERE program_id = ?', world.id);
	return { answers: world.answers, reports: world.reports, calls, retired: days.reduce((sum, { clicks }) => sum + clicks, 0) };
}

async function clicksOf(world: World, day: number): Promise<void> {
	const jobs: { readonly body: ClickJob }[] = [];
	for (const name of CLICK_NAMES) {
		const { day: on, ...fields } = CLICKS[name];
		if (on !== day) continue;
		const job = await aClickJob(world, noonOf(day) - HOUR_MS - jobs.length, fields);
		world.clickIds.set(name, job.clickId);
		jobs.push({ body: job });
	}
	if (jobs.length > 0) await atInstant(noonOf(day), () => deliver('affiliate-clicks', jobs));
}

/** Also applies the call's effects, which may call the partner's system. */
async function happen(world: World, at: number, route: string, body: object): Promise<unknown> {
	const EFFECTS = holdingQueue();
	const answer = await atInstant(at, async () => {
		const { status, body: told } = await trackWith({ EFFECTS }, route, body, bearer(world.apiToken));
		const messages = asMessages(EFFECTS.held.splice(0));
		if (messages.length > 0) await deliver('affiliate-effects', messages);
		return { status, body: told };
	});
	await calledAt(at + MINUTE_MS);
	return withoutIds(world, answer);
}

interface Readable {
	readonly id: number;
	readonly path: string;
	readonly partner: Pick<SignedInPartner, 'own'>;
}

/** Everything that shows clicks, customers or what they earned, except the clicks themselves. */
function readsOf({ id, path, partner: { own } }: Readable): Readonly<Record<string, readonly [path: string, isPartner: boolean]>> {
	const report = `/api/tracking/performance/${id}?${RANGE}`;
	return {
		'the report': [report, false],
		'the report by country': [`${report}&by=country`, false],
		'the report by source': [`${report}&by=source`, false],
		'the report by link': [`${report}&by=link`, false],
		'the report of one country': [`${report}&country=DE`, false],
		'the list of leads': [`/api/tracking/events/${id}?type=lead`, false],
		'the list of sales': [`/api/tracking/events/${id}?type=sale`, false],
		'the list of customers': [`${path}/customers`, false],
		'the list of commissions': [`${path}/commissions`, false],
		'the ranking of partners': [`${path}/partners/performance?period=all`, false],
		"the partner's commissions": [`${own}/commissions`, true],
		"the partner's uncredited sales": [`${own}/unearned-sales`, true],
		"the partner's report": [`${own}/performance?${RANGE}`, true],
		"the partner's calls": [`${own}/postback/deliveries`, true],
	};
}

async function readAll(world: World, at: number): Promise<Record<string, unknown>> {
	const read: Record<string, unknown> = {};
	await atInstant(at, async () => {
		for (const [name, [path, isPartner]] of Object.entries(readsOf(world))) {
			const { status, body } = await api(path, { token: isPartner ? world.partner.token : world.owner.token });
			read[name] = withoutIds(world, { status, body });
		}
		read['each commission'] = await readEach(world, 'commissions');
		read['each explanation'] = await readEach(world, 'commissions', '/explanation');
		read['each customer'] = await readEach(world, 'customers');
	});
	return read;
}

async function readEach(world: World, list: string, rest = ''): Promise<unknown> {
	const { body } = await api<{ id: number }[]>(`${world.path}/${list}`, { token: world.owner.token });
	const each = [];
	for (const { id } of body.data) {
		const answer = await api(`${world.path}/${list}/${id}${rest}`, { token: world.owner.token });
		each.push(withoutIds(world, { status: answer.status, body: answer.body }));
	}
	return each;
}

async function expectNothingToRepair({ id }: World): Promise<void> {
	const days = await rows<{ day: string }>('SELECT DISTINCT day FROM daily_performance WHERE program_id = ?', id);
	for (const { day } of days) expect(await rollUpDay(contextAt(noonOf(201)), { id, timeZone: 'UTC' }, day), day).toBe(0);
}

/** Replaces what differs between two programs with the same story: numbers of rows, and generated names. */
function withoutIds(world: World, value: unknown): unknown {
	const names: [string, string][] = [
		[world.receiver, 'https://receiver.example'],
		[world.partner.email, 'partner@people.example'],
		[world.shortLink, 'short-link'],
		[world.prefix, 'shop'],
		...[...world.clickIds].map(([name, id]): [string, string] => [id, `click ${name}`]),
	];
	const named = (text: string) =>
		names.reduce((changed, [from, to]) => changed.replaceAll(from, to), text).replaceAll(/\b(Sale|Rule) \d+/g, '$1 0');
	return JSON.parse(
		JSON.stringify(value, (key, field: unknown) => {
			if (typeof field === 'string') return named(field);
			return typeof field === 'number' && /^(id|value|.*_id)$/.test(key) ? 0 : field;
		}),
	);
}
