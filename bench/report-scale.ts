import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { type BuiltWorker, buildWorker } from '../testing/built-worker.ts';
import { eachLimit } from '../testing/limits.ts';
import { DAY_MS, MINUTE_MS } from '../src/domain/calendar.ts';
import { JOBS } from '../src/jobs/tick.ts';
import { migrationFiles } from '../testing/migrations.ts';
import { LOOPBACK, startMiniflare } from '../testing/miniflare.ts';
import type { ScaleRequest, Caller, Named } from '../testing/scale/cases.ts';
import { budgetOf, rowsAnswered } from '../testing/scale/budget.ts';
import { fill } from '../testing/scale/fill.ts';
import { requestsOf } from '../testing/scale/requests.ts';
import { BUSY_PARTNER, BUSY_TOKEN, FULL_SIZE, OWNER_TOKEN, planOf, PROGRAM_KEY, QUIET_TOKEN, TEST_SIZE } from '../testing/scale/size.ts';
import { writesOf } from '../testing/scale/writes.ts';
import { printScaleTable, printWorkTable, type ScaleRow, type WorkRow } from './scale-table.ts';

// Measures what every GET, large change and cron job costs for a large program, and how long a sale waits during it: `npm run report:scale`.
// It takes a minute or two with the program of the budget test; `-- --full` uses a million sales. For each GET it shows the case that reads
// the most rows.

const SECRETS = 'report-scale-secret-0001';
/** How many times the worst case of a route runs to get its median time. */
const TIMES = 5;
/** Reads that take longer are not repeated. */
const LONG_MS = 3_000;
const TOKENS: Readonly<Record<Caller, string | undefined>> = {
	owner: OWNER_TOKEN,
	busy: BUSY_TOKEN,
	quiet: QUIET_TOKEN,
	key: PROGRAM_KEY,
	nobody: undefined,
};

const size = process.argv.includes('--full') ? FULL_SIZE : TEST_SIZE;
const folder = mkdtempSync(join(tmpdir(), 'report-scale-'));
let sales = 0;
try {
	const miniflare = startWorker(buildWorker('bench/report-scale-worker.ts', join(folder, 'worker')));
	await report(await miniflare.unsafeGetDirectURL());
	await miniflare.dispose();
} finally {
	rmSync(folder, { recursive: true, force: true });
}

async function report(url: URL): Promise<void> {
	const now = Date.now();
	const run = (statement: string) => sql(url, statement);
	for (const { statements } of migrationFiles()) for (const statement of statements) await run(statement);
	await fill(run, size, {
		secrets: SECRETS,
		now,
		onStep: (step, tookMs) => console.log(`filled ${step} in ${(tookMs / 1_000).toFixed(1)} s`),
	});
	await keepWhatCronKeeps(url);
	const named = await nameThings(run, now);
	const rows: ScaleRow[] = [];
	for (const [operation, requests] of Object.entries(requestsOf(named))) {
		const worst = await findWorst(url, requests);
		if (worst) rows.push({ operation, ...worst, saleMs: (await besideSales(url, () => ask(url, worst.request))).saleMs });
	}
	printScaleTable(rows);
	printWorkTable([...(await changes(url, run)), ...(await jobs(url, run, now))]);
	const over = rows.filter(({ rowsRead, answered }) => rowsRead > budgetOf(answered));
	console.log(`\n${over.length} of ${rows.length} routes exceed the budget: ${over.map(({ operation }) => operation).join(', ')}`);
}

type Worst = Omit<ScaleRow, 'operation' | 'saleMs'>;

/** The case that reads the most rows, with its median time. */
async function findWorst(url: URL, requests: readonly ScaleRequest[]): Promise<Worst | undefined> {
	let worst: Worst | undefined;
	for (const request of requests) {
		const answer = await ask(url, request);
		if (!worst || answer.rowsRead > worst.rowsRead) worst = answer;
	}
	if (!worst || worst.p50Ms > LONG_MS) return worst;
	const times = [worst.p50Ms];
	while (times.length < TIMES) times.push((await ask(url, worst.request)).p50Ms);
	return { ...worst, p50Ms: times.toSorted((a, b) => a - b)[TIMES >> 1] ?? 0 };
}

async function ask(url: URL, request: ScaleRequest): Promise<Worst> {
	const started = performance.now();
	const response = await fetch(new URL(request.path, url), { headers: headersOf(request), redirect: 'manual' });
	const text = await response.text();
	const p50Ms = performance.now() - started;
	const cost = (name: string) => Number(response.headers.get(name));
	const answered = rowsAnswered(response.headers.get('Content-Type'), text);
	const [rowsRead, trips, tripMs] = [cost('X-Rows-Read'), cost('X-Trips'), cost('X-Longest-Trip-Ms')];
	return { request, status: response.status, rowsRead, trips, tripMs, answered, p50Ms };
}

function headersOf({ as, isCsv }: Pick<ScaleRequest, 'as' | 'isCsv'>): Record<string, string> {
	const token = TOKENS[as];
	return { Accept: isCsv ? 'text/csv' : 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
}

/** Each happens once, because it changes what the next would find. */
async function changes(url: URL, run: Run): Promise<WorkRow[]> {
	const findIds = async (query: string) => (await run(query)).map(({ id }) => Number(id));
	const rows: WorkRow[] = [];
	for (const [operation, writes] of Object.entries(await writesOf(size, findIds))) {
		for (const { as, method, path, body } of writes) {
			const headers = { ...headersOf({ as, isCsv: false }), 'Content-Type': 'application/json' };
			const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
			rows.push({ name: operation, ...(await worked(url, path, init)) });
		}
	}
	return rows;
}

/** A tick a day later, when holds have ended. Clicks begin to expire. */
async function jobs(url: URL, run: Run, now: number): Promise<WorkRow[]> {
	await run('UPDATE programs SET click_retention_days = cookie_window_days + 7, retire_clicks_at = 0');
	const rows: WorkRow[] = [];
	for (const name of Object.keys(JOBS)) rows.push({ name, ...(await worked(url, `/job?name=${name}&at=${now + DAY_MS + MINUTE_MS}`)) });
	return rows;
}

async function worked(url: URL, path: string, init?: RequestInit): Promise<Omit<WorkRow, 'name'>> {
	const { result, ms, saleMs } = await besideSales(url, async () => {
		const response = await fetch(new URL(path, url), init);
		await response.text();
		return response;
	});
	const cost = (name: string) => Number(result.headers.get(name));
	const [rowsRead, trips, tripMs] = [cost('X-Rows-Read'), cost('X-Trips'), cost('X-Longest-Trip-Ms')];
	return { status: result.status, rowsRead, trips, tripMs, ms, saleMs };
}

/** `saleMs` is the longest wait among the sales sent one after the other in the meantime. */
async function besideSales<Result>(url: URL, work: () => Promise<Result>) {
	const state = { isRunning: true };
	const started = performance.now();
	let ms = 0;
	const working = work().finally(() => {
		state.isRunning = false;
		ms = performance.now() - started;
	});
	let saleMs = 0;
	do saleMs = Math.max(saleMs, await sell(url));
	while (state.isRunning);
	return { result: await working, ms, saleMs };
}

async function sell(url: URL): Promise<number> {
	sales += 1;
	const body = JSON.stringify({ transaction_id: `beside-${sales}`, amount_cents: 9_900, customer_key: 'customer-2' });
	const started = performance.now();
	const response = await fetch(new URL('/api/v1/track/sale', url), {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${PROGRAM_KEY}` },
		body,
	});
	await textOf(response, 'The sale');
	return performance.now() - started;
}

async function sql(url: URL, statement: string): Promise<readonly Record<string, unknown>[]> {
	const response = await fetch(new URL('/sql', url), { method: 'POST', body: statement });
	return JSON.parse(await textOf(response, statement.slice(0, 200))) as readonly Record<string, unknown>[];
}

async function keepWhatCronKeeps(url: URL): Promise<void> {
	const started = performance.now();
	const call = async (path: string) => textOf(await fetch(new URL(path, url)), path);
	await call('/begin-sums');
	while (Number(await call('/keep-more')) > 0);
	console.log(`kept sums and months in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

async function textOf(response: Response, what: string): Promise<string> {
	const text = await response.text();
	if (!response.ok) throw new Error(`${what} failed with ${response.status}: ${text}`);
	return text;
}

type Run = (statement: string) => ReturnType<typeof sql>;

async function nameThings(run: Run, now: number): Promise<Named> {
	const valueOf = async (query: string) => (await run(query))[0]?.['value'];
	const ofBusy = `FROM commissions WHERE partner_program_id = ${BUSY_PARTNER}`;
	return {
		plan: planOf(size, now),
		payoutId: Number(
			await valueOf(`SELECT payout_id AS value ${ofBusy} AND payout_id IS NOT NULL GROUP BY payout_id ORDER BY count(*) DESC LIMIT 1`),
		),
		commissionId: Number(await valueOf(`SELECT max(id) AS value ${ofBusy}`)),
		clickId: String(await valueOf('SELECT click_id AS value FROM customers WHERE id = 1')),
	};
}

function startWorker({ script }: BuiltWorker): Miniflare {
	return startMiniflare({
		name: 'report-scale',
		...script,
		compatibilityDate: '2026-10-23',
		bindings: { SECRETS, SETUP_TOKEN: 'report-scale-setup-token', SIGN_UP: 'open' },
		d1Databases: { DB: 'report-scale' },
		r2Buckets: { CLICK_FILES: 'report-scale' },
		queueProducers: { CLICKS: 'clicks', EFFECTS: 'effects', WEBHOOKS: 'webhooks' },
		ratelimits: eachLimit({ namespace_id: '7399', simple: { limit: 1_000_000, period: 60 } } as const),
		resourcePersistencePath: join(folder, 'data'),
		unsafeDirectSockets: [LOOPBACK],
	});
}
