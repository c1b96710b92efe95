import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { type BuiltWorker, buildWorker } from '../testing/built-worker.ts';
import { eachLimit } from '../testing/limits.ts';
import { migrationFiles } from '../testing/migrations.ts';
import { LOOPBACK, startMiniflare } from '../testing/miniflare.ts';
import { seedClicks } from './world.ts';

// Checks that a report costs the same with 0, 1 million and 10 million clicks: `npm run report:growth`. Uses a local D1 on disk and a
// direct socket to the Worker. Fails if a budget is exceeded.

const DAYS = 400;
const STAGES = [0, 1_000_000, 10_000_000];
const REQUESTS = 200;
const MAX_RATIO = 4;

const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'report-growth-'));
const failures: string[] = [];

try {
	const miniflare = startWorker(buildWorker('bench/report-scale-worker.ts', join(folder, 'worker')));
	await measure(await miniflare.unsafeGetDirectURL());
	await miniflare.dispose();
} finally {
	rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${((performance.now() - started) / 1_000).toFixed(0)} s`);
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

interface ReportRequest {
	readonly query: string;
	readonly days: number;
	/** The number of rows that may be read per day; 2 by default. */
	readonly perDay?: number;
}

async function measure(url: URL): Promise<void> {
	const service = connect(url);
	for (const { statements } of migrationFiles()) for (const statement of statements) await service.sql(statement);
	const { token, programId } = await seedProgram(service);
	const today = new Date().toISOString().slice(0, 10);
	const reports = {
		'7d': { query: 'period=7d', days: 7 },
		'90d': { query: 'period=90d', days: 90 },
		all: { query: 'period=all', days: DAYS + 1 },
		'today alone': { query: `dateFrom=${today}&dateTo=${today}`, days: 1 },
		'90d by country': { query: 'period=90d&by=country', days: 90, perDay: 4 },
		'DE, 90d': { query: 'period=90d&country=DE&compare=previous', days: 90, perDay: 5 },
		'DE, all': { query: 'period=all&country=DE', days: DAYS + 1, perDay: 5 },
		'all by country': { query: 'period=all&by=country', days: DAYS + 1, perDay: 4 },
	};
	console.log('    clicks  report          trips  rows read  budget    p50 ms  of SELECT 1');
	const rowsRead = new Map<string, Set<number>>();
	let seeded = 0;
	for (const clicks of STAGES) {
		await seedClicks(service.sql, programId, seeded, clicks);
		seeded = clicks;
		for (const [name, { query, days, perDay = 2 }] of Object.entries<ReportRequest>(reports)) {
			const path = `/api/tracking/performance/${programId}?${query}`;
			const read = await service.report(path, token);
			if (name.startsWith('all') && read.clicks !== clicks) failures.push(`${name} counts ${read.clicks} of ${clicks} clicks`);
			const { report, bare } = await race(service, path, token);
			// A report queries two ranges: its own and the one before. A breakdown by country reads and sorts three rows a day; a filter by country
			// reads the day, its row and the next one.
			const budget = 2 * (perDay * days + 10);
			const ratio = report / bare;
			rowsRead.set(name, (rowsRead.get(name) ?? new Set()).add(read.rowsRead));
			if (read.rowsRead > budget) failures.push(`${name} with ${clicks} clicks reads ${read.rowsRead} rows, more than ${budget}`);
			if (read.trips > 2) failures.push(`${name} takes ${read.trips} trips`);
			if (name === 'all' && ratio > MAX_RATIO) failures.push(`${name} with ${clicks} clicks takes ${ratio.toFixed(1)} x SELECT 1`);
			console.log(
				`${String(clicks).padStart(10)}  ${name.padEnd(14)} ${String(read.trips).padStart(6)} ${String(read.rowsRead).padStart(10)} ` +
					`${String(budget).padStart(7)} ${report.toFixed(2).padStart(9)} ${`${ratio.toFixed(2)} x`.padStart(12)}`,
			);
		}
	}
	for (const [name, counts] of rowsRead)
		if (counts.size > 1) failures.push(`${name} reads more with more clicks: ${[...counts].join(', ')}`);
}

type Service = ReturnType<typeof connect>;

function connect(url: URL) {
	const call = (path: string, token?: string, body?: string) =>
		fetch(new URL(path, url), {
			...(body === undefined ? {} : { method: 'POST', body }),
			headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
		});
	return {
		call,
		sql: async (statement: string) => expectOk(await call('/sql', undefined, statement)),
		post: async (path: string, body: object, token?: string) => {
			const { data }: { data: Made } = JSON.parse(await expectOk(await call(path, token, JSON.stringify(body))));
			return data;
		},
		report: async (path: string, token: string) => {
			const response = await call(path, token);
			const { data }: { data: { clicks: number }[] } = JSON.parse(await expectOk(response));
			const cost = (name: string) => Number(response.headers.get(name));
			return { clicks: data.reduce((sum, row) => sum + row.clicks, 0), trips: cost('X-Trips'), rowsRead: cost('X-Rows-Read') };
		},
	};
}

interface Made {
	readonly id: number;
	readonly token: string;
}

/** Returns the text of a successful response; throws otherwise. */
async function expectOk(response: Response): Promise<string> {
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.url} responded with ${response.status}: ${text}`);
	return text;
}

/** The median times of the report and of a bare trip in ms, measured alternately. */
async function race(service: Service, path: string, token: string): Promise<{ report: number; bare: number }> {
	const times = { report: [] as number[], bare: [] as number[] };
	for (let request = 0; request < REQUESTS; request += 1) {
		times.report.push(await timed(() => service.call(path, token)));
		times.bare.push(await timed(() => service.call('/select-1')));
	}
	return { report: middleOf(times.report), bare: middleOf(times.bare) };
}

function middleOf(times: readonly number[]): number {
	return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

async function timed(work: () => Promise<Response>): Promise<number> {
	const start = performance.now();
	await (await work()).arrayBuffer();
	return performance.now() - start;
}

/** Creates a 400-day-old program with sales on every day. */
async function seedProgram(service: Service): Promise<{ token: string; programId: number }> {
	const person = { email: 'ada@shop.example', password: 'correct horse battery', name: 'Ada Owner' };
	const { token } = await service.post('/api/v1/auth/sign-up', person);
	const { id: programId } = await service.post('/api/v1/programs', { name: 'Shop' }, token);
	await service.post(`/api/v1/programs/${programId}/partners`, { name: 'Pat', email: 'pat@partners.example', short_link: 'pat' }, token);
	await service.sql(`UPDATE programs SET created_at = created_at - ${DAYS} * 86400000`);
	await service.sql(`
		WITH RECURSIVE d(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM d WHERE n < ${DAYS})
		INSERT INTO daily_performance (program_id, day, currency, sales, revenue_cents)
		SELECT ${programId}, date('now', '-' || n || ' days'), 'USD', 2, 1999 FROM d WHERE true ON CONFLICT DO NOTHING`);
	await service.sql(`
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, sales, revenue_cents)
		SELECT program_id, 'country', day, country.value, currency, 1, 999 FROM daily_performance, json_each('["DE", "US"]') country`);
	return { token, programId };
}

function startWorker({ script }: BuiltWorker): Miniflare {
	return startMiniflare({
		name: 'report-growth',
		...script,
		compatibilityDate: '2026-10-23',
		bindings: { SECRETS: 'report-growth-secret-0001', SETUP_TOKEN: 'report-growth-setup-token', SIGN_UP: 'open' },
		d1Databases: { DB: 'report-growth' },
		queueProducers: { CLICKS: 'clicks', EFFECTS: 'effects' },
		ratelimits: eachLimit({ namespace_id: '7399', simple: { limit: 1_000_000, period: 60 } } as const),
		resourcePersistencePath: join(folder, 'data'),
		unsafeDirectSockets: [LOOPBACK],
	});
}
