import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DAY_MS, dayOf } from '../src/domain/calendar.ts';
import { type BuiltWorker, buildWorker } from '../testing/built-worker.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { eachLimit } from '../testing/limits.ts';
import { migrationFiles } from '../testing/migrations.ts';
import { LOOPBACK, startMiniflare } from '../testing/miniflare.ts';
import { fill } from '../testing/scale/fill.ts';
import { OWNER_TOKEN, PROGRAM_ID, PROGRAM_KEY, type Size } from '../testing/scale/size.ts';
import { childNamed } from './cpu.ts';

// What the retirement of clicks takes on a large program: `npm run retire:scale`. Upgrades a filled database, retires a million clicks
// while sales arrive, compares all reports before and after, and measures the memory of a slice whose clicks are as large as they can be.

const USAGE = `npm run retire:scale -- [options]
  --clicks 5000000    how many clicks the database has
  --retire 1000000    how many of them are retired`;
/** Applied last, because the fill knows the tables of later migrations. */
const UPGRADE: readonly string[] = [
	'0089_clicks_expire',
	'0090_rules_of_retention',
	'0091_deleted_clicks_are_counted',
	'0092_days_that_were_deleted',
];
const RETENTION_DAYS = 97;
/** D1 allows 30 seconds per statement. */
const LIMIT_MS = 30_000;
const SECRETS = 'retire-scale-secret-0001';
const SALES_ALONE = 100;
const DAYS_REPAIRED = 5;
const LARGEST = { clicks: 10_000, characters: 13_000 };

let sales = 0;

interface Slice {
	readonly clicks: number;
	readonly rowsRead: number;
	readonly rowsWritten: number;
	readonly trips: number;
	/** The longest that the database worked on one trip. */
	readonly longestTripMs: number;
	readonly ms: number;
}

await runScript(async () => {
	const { values } = parseArgs({
		options: {
			help: { type: 'boolean', default: false },
			clicks: { type: 'string', default: '5000000' },
			retire: { type: 'string', default: '1000000' },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	const clicks = Number(values.clicks);
	const folder = mkdtempSync(join(process.env['RETIRE_FOLDER'] ?? tmpdir(), 'retire-scale-'));
	const { script } = buildWorker('bench/retire-scale-worker.ts', join(folder, 'worker'));
	try {
		await withWorker(script, folder, (trial) => retireMany(trial, sizeFor(clicks), Number(values.retire)));
		await withWorker(script, folder, (trial) => retireLargest(trial));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return 0;
});

/** Three clicks in a hundred belong to a customer. */
function sizeFor(clicks: number): Size {
	const customers = Math.ceil(clicks * 0.03);
	return { partners: 2_000, clicks, customers, sales: customers, smallPrograms: 500, erasedIds: 1, otherRows: 1_000, retiredDays: 0 };
}

async function retireMany(trial: Trial, size: Size, wanted: number): Promise<void> {
	const now = Date.now();
	await trial.migrate(({ name }) => !UPGRADE.includes(name));
	await fill(trial.sql, size, {
		secrets: SECRETS,
		now,
		onStep: (step, tookMs) => console.log(`filled ${step} in ${seconds(tookMs)}`),
	});
	const before = await figuresOf(trial);
	for (const upgrade of UPGRADE) {
		const tookMs = await timed(() => trial.migrate(({ name }) => name === upgrade));
		console.log(`${upgrade}: ${tookMs.toFixed(0)} ms with ${size.clicks.toLocaleString('en')} clicks`);
		if (tookMs > LIMIT_MS) throw new Failure(`${upgrade} exceeds D1's limit`);
	}
	expectEqual(before, await figuresOf(trial), 'The upgrade');

	const reports = await reportsOf(trial, now);
	const alone = [];
	while (alone.length < SALES_ALONE) alone.push(await sell(trial));
	console.log(`a sale alone: ${spread(alone)} ms`);
	await trial.sql(`UPDATE programs SET click_retention_days = ${RETENTION_DAYS}, retire_clicks_at = 0 WHERE id = ${PROGRAM_ID}`);
	const { slices, waits } = await sellWhile(trial, () => retire(trial, wanted));
	const retired = slices.reduce((sum, slice) => sum + slice.clicks, 0);
	const perClick = (of: 'rowsRead' | 'rowsWritten') => slices.reduce((sum, slice) => sum + slice[of], 0) / retired;
	console.log(`${retired.toLocaleString('en')} clicks retired in ${slices.length} slices: ${spread(slices.map(({ ms }) => ms))} ms each`);
	console.log(`rows a click: ${perClick('rowsRead').toFixed(2)} read, ${perClick('rowsWritten').toFixed(2)} written`);
	console.log(`a slice has at most ${Math.max(...slices.map(({ trips }) => trips))} trips`);
	console.log(`its longest trip: ${spread(slices.map(({ longestTripMs }) => longestTripMs))} ms`);
	console.log(`a sale beside it: ${spread(waits)} ms`);
	const [stored] = await trial.sql('SELECT sum(bytes) AS bytes, sum(clicks) AS clicks, sum(files) AS files FROM retired_click_days');
	console.log(
		`in R2: ${(Number(stored?.['bytes']) / Number(stored?.['clicks'])).toFixed(1)} bytes a click, ${String(stored?.['files'])} files`,
	);

	const days = await trial.sql(`SELECT day FROM retired_click_days ORDER BY day LIMIT ${DAYS_REPAIRED}`);
	for (const { day } of days) {
		const changed = Number(await trial.call(`/repair?day=${String(day)}`));
		if (changed !== 0) throw new Failure(`The roll-up changed ${changed} rows of ${String(day)}`);
	}
	expectEqual(reports, await reportsOf(trial, now), 'The retirement');
	console.log(`${reports.length} reports are equal before and after`);
}

/** Fills the smallest database with clicks that are as large as they can be, in text that takes two bytes a character. */
async function retireLargest(trial: Trial): Promise<void> {
	await trial.migrate(() => true);
	await fill(trial.sql, sizeFor(20_000), { secrets: SECRETS, now: Date.now() });
	const at = Date.now() - 300 * DAY_MS;
	const text = `substr(replace(hex(zeroblob(${LARGEST.characters})), '0', 'ж'), 1, ${Math.floor(LARGEST.characters / 5)})`;
	for (let from = 0; from < LARGEST.clicks; from += 1_000)
		await trial.sql(`
			WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${from + 999})
			INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, page_url, page_title, referrer_url, session_id, user_agent)
			SELECT printf('cust_9%08d_9%08d', i, i), 1000000 + i, ${PROGRAM_ID}, 1, 0, 0, ${at} + i, '${dayOf(at, 'UTC')}', ${text}, ${text}, ${text}, ${text}, ${text} FROM n`);
	await trial.sql(`UPDATE programs SET click_retention_days = ${RETENTION_DAYS}, retire_clicks_at = 0 WHERE id = ${PROGRAM_ID}`);
	// Other days come first, each with a few clicks.
	for (;;) {
		trial.forgetPeak();
		const before = trial.peakMb();
		const slice = await retireSlice(trial);
		if (slice.clicks === 0) throw new Failure('The largest clicks were not retired');
		if (slice.clicks < 100) continue;
		const grown = trial.peakMb() - before;
		console.log(
			`${slice.clicks} clicks of ${LARGEST.characters.toLocaleString('en')} characters in a slice: ${slice.ms.toFixed(0)} ms, and workerd with its D1 grew by ${grown.toFixed(0)} MB`,
		);
		return;
	}
}

async function retire(trial: Trial, wanted: number): Promise<readonly Slice[]> {
	const slices: Slice[] = [];
	for (let left = wanted; left > 0;) {
		const slice = await retireSlice(trial);
		if (slice.clicks === 0) break;
		slices.push(slice);
		left -= slice.clicks;
	}
	return slices;
}

async function retireSlice(trial: Trial): Promise<Slice> {
	const started = performance.now();
	const slice = (await trial.call('/retire')) as Omit<Slice, 'ms'>;
	return { ...slice, ms: performance.now() - started };
}

async function sellWhile(
	trial: Trial,
	work: () => Promise<readonly Slice[]>,
): Promise<{ slices: readonly Slice[]; waits: readonly number[] }> {
	const state = { isWorking: true };
	const working = work().finally(() => {
		state.isWorking = false;
	});
	const waits = [];
	while (state.isWorking) waits.push(await sell(trial));
	return { slices: await working, waits };
}

async function sell(trial: Trial): Promise<number> {
	sales += 1;
	const body = JSON.stringify({ transaction_id: `beside-${sales}`, amount_cents: 9_900, customer_key: 'customer-2' });
	return timed(() => trial.call('/api/v1/track/sale', { body, token: PROGRAM_KEY }));
}

/** All figures that reports read, in one line per table. */
async function figuresOf(trial: Trial): Promise<readonly string[]> {
	const tables = ['daily_performance', 'daily_breakdown', 'monthly_breakdown'];
	const lines = [];
	for (const table of tables) {
		const [sums] = await trial.sql(
			`SELECT count(*) AS figures, sum(clicks) AS clicks, sum(leads) AS leads, sum(sales) AS sales, sum(revenue_cents) AS revenue, sum(commission_cents) AS commission, sum(clicks * unixepoch(${table === 'monthly_breakdown' ? "month || '-01'" : 'day'})) AS byday FROM ${table}`,
		);
		lines.push(`${table}: ${JSON.stringify(sums)}`);
	}
	for (const table of ['affiliate_click_events', 'customers', 'affiliate_sale_events', 'commissions'])
		lines.push(`${table}: ${JSON.stringify(await trial.sql(`SELECT count(*) AS stored FROM ${table}`))}`);
	return lines;
}

/** Reports up to the day before yesterday, because sales arrive today. */
async function reportsOf(trial: Trial, now: number): Promise<readonly string[]> {
	const range = (from: number, to: number) => `dateFrom=${dayOf(now - from * DAY_MS, 'UTC')}&dateTo=${dayOf(now - to * DAY_MS, 'UTC')}`;
	const path = `/api/tracking/performance/${PROGRAM_ID}`;
	const ranges = [range(365, 2), range(365, 300), range(120, 60), range(30, 2)];
	const texts = [];
	for (const query of ranges) {
		for (const kind of ['', '&by=link', '&by=partner', '&by=country', '&by=source', '&by=product'])
			texts.push(JSON.stringify(await trial.call(`${path}?${query}${kind}`, { token: OWNER_TOKEN })));
	}
	return texts;
}

function expectEqual(before: readonly string[], after: readonly string[], what: string): void {
	const changed = before.findIndex((text, index) => text !== after[index]);
	if (changed >= 0) throw new Failure(`${what} changed ${before[changed]?.slice(0, 500)} into ${after[changed]?.slice(0, 500)}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}

/** The median and the maximum. */
function spread(times: readonly number[]): string {
	const sorted = times.toSorted((a, b) => a - b);
	return `${(sorted[sorted.length >> 1] ?? 0).toFixed(0)} (at most ${(sorted.at(-1) ?? 0).toFixed(0)})`;
}

function seconds(ms: number): string {
	return `${(ms / 1_000).toFixed(1)} s`;
}

interface Trial {
	readonly call: (path: string, call?: { readonly body?: string; readonly token?: string }) => Promise<unknown>;
	readonly sql: (statement: string) => Promise<readonly Record<string, unknown>[]>;
	readonly migrate: (isWanted: (file: { readonly name: string }) => boolean) => Promise<void>;
	readonly forgetPeak: () => void;
	/** The largest size of workerd in memory since then. */
	readonly peakMb: () => number;
}

async function withWorker(script: BuiltWorker['script'], folder: string, use: (trial: Trial) => Promise<void>): Promise<void> {
	const data = mkdtempSync(join(folder, 'data-'));
	const miniflare = startMiniflare({
		name: 'retire-scale',
		...script,
		compatibilityDate: '2026-10-23',
		bindings: { SECRETS, SETUP_TOKEN: 'retire-scale-setup-token', SIGN_UP: 'open' },
		d1Databases: { DB: 'retire-scale' },
		r2Buckets: { CLICK_FILES: 'retire-scale' },
		queueProducers: { CLICKS: 'clicks', EFFECTS: 'effects', WEBHOOKS: 'webhooks' },
		ratelimits: eachLimit({ namespace_id: '7399', simple: { limit: 1_000_000, period: 60 } } as const),
		resourcePersistencePath: data,
		unsafeDirectSockets: [LOOPBACK],
	});
	const url = await miniflare.unsafeGetDirectURL();
	const workerd = childNamed('workerd');
	const call: Trial['call'] = async (path, { body, token } = {}) => {
		const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
		const response = await fetch(new URL(path, url), { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
		const text = await response.text();
		if (!response.ok) throw new Failure(`${path} responded with ${response.status}: ${text.slice(0, 500)}`);
		return JSON.parse(text);
	};
	await use({
		call,
		sql: async (statement) => (await call('/sql', { body: statement })) as readonly Record<string, unknown>[],
		async migrate(isWanted) {
			for (const file of migrationFiles().filter(isWanted)) await call('/migrate', { body: JSON.stringify(file.statements) });
		},
		// Linux then counts the peak from the present size on.
		forgetPeak: () => writeFileSync(`/proc/${workerd}/clear_refs`, '5'),
		peakMb: () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${workerd}/status`, 'utf8'))?.[1]) / 1_000,
	});
	await miniflare.dispose();
	rmSync(data, { recursive: true, force: true });
}
