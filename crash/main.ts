import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random, subSeed } from '../testing/random.ts';
import { RowReader } from '../simulation/world/row-reader.ts';
import { DAY_MS } from '../src/domain/calendar.ts';
import { auditDatabase } from './books.ts';
import { buildLaunch } from './build.ts';
import { Client } from './client.ts';
import { misplacedClicks, readClickFiles, retiredRows } from './click-files.ts';
import { compareJournal, unflushedClicks } from './compare-journal.ts';
import { databasePath, loseTail } from './disk.ts';
import { acknowledgements, type Journal } from './journal.ts';
import { type Options, readOptions } from './options.ts';
import { report, reportRound } from './report.ts';
import { DailyRetirement } from './retire-daily.ts';
import { REPLACED } from './retirement.ts';
import { sendTo } from './send.ts';
import { type Launch, type ServerProcess, startServer } from './server-process.ts';
import { openShops } from './shops.ts';
import { visit } from './visitors.ts';

// npm run crash -- [--short] [--rounds 20] [--writes 1000] [--seed N] [--plant <fault>]
// Exits with 1 if a write was lost or doubled, or a check of the database failed. The folder of a failed run is kept.

const CLIENTS = 8;
const ROUND_LIMIT = 200;
/** How far ahead the cron's clock runs, because it sweeps only processor events that are at least a minute old. */
const AHEAD_MS = 61_000;
/** Ten years, because an effect that keeps failing doubles its delay each time. */
const DRAIN_AHEAD_MS = 3_650 * DAY_MS;
const DRAIN_LIMIT_MS = 600_000;
/** Enough that every round has clicks to retire. */
const VISITS = 60;
const VISITS_PER_ROUND = 15;

const options = readOptions();
const folder = mkdtempSync(path.join(tmpdir(), 'crash-test-'));
const isClean = await crash(options, folder);
if (isClean) rmSync(folder, { recursive: true });
else
	console.log(
		`\nDatabase and server log: ${folder}\nAgain: npm run crash -- --seed ${options.seed} --rounds ${options.rounds} --writes ${options.writes}${options.plant === undefined ? '' : ` --plant ${options.plant}`}`,
	);
process.exitCode = isClean ? 0 : 1;

async function crash({ rounds, writes, seed, plant }: Options, into: string): Promise<boolean> {
	console.log(
		`Seed ${seed}: ${rounds} rounds or more, until ${writes} writes are acknowledged${plant === undefined ? '' : `; planted: ${plant}`}\n`,
	);
	const launch = buildLaunch(into, plant);
	const started = performance.now();
	const first = await startServer(launch);
	const world = await openShops(sendTo(first.url));
	const again = { ...launch, isNew: false };
	const journal: Journal = { intents: [], charges: [], clicks: [], unknownClicks: 0 };
	const clients = Array.from(
		{ length: CLIENTS },
		(_, index) => new Client(`${index + 1}`, world, new Random(subSeed(seed, index)), journal),
	);

	await visit(first, sendTo(first.url), VISITS + rounds * VISITS_PER_ROUND, {
		world,
		random: new Random(subSeed(seed, CLIENTS + 1)),
		journal,
	});
	const killTimes = new Random(subSeed(seed, CLIENTS));
	const retirement = new DailyRetirement();
	const restarts: number[] = [];
	let server: ServerProcess = first;
	for (let round = 1; round <= rounds || (acknowledgedIn(journal) < writes && round <= ROUND_LIMIT); round += 1) {
		const loadMs = killTimes.between(300, 2_000);
		const before = acknowledgedIn(journal);
		// On a slow machine, the first call to a new server takes longer than a round.
		if (round % 2 === 0) await retirement.once(server);
		await runRound(server, clients, retirement, loadMs);
		if (plant === 'lost-tail') loseTail(again);
		server = await startServer(again);
		restarts.push(server.startedInMs);
		reportRound({ round, loadMs, restartMs: server.startedInMs, acknowledged: acknowledgedIn(journal) - before });
	}

	for (const client of clients) await client.settle(sendTo(server.url));
	await drain(server);
	await server.stop();

	return report({
		...(await audit(launch, journal)),
		clicks: journal.clicks.length,
		reported: {
			payments: journal.charges.length,
			refunds: journal.charges.reduce((sum, charge) => sum + charge.refunds.size, 0),
		},
		restarts,
		seconds: (performance.now() - started) / 1_000,
	});
}

/** Compares what is on disk with the journals. */
async function audit(launch: Launch, journal: Journal) {
	const files = await readClickFiles(launch);
	const sqlite = new DatabaseSync(databasePath(launch));
	const stored = new RowReader(sqlite).all();
	const misplaced = misplacedClicks(files, stored);
	const retired = retiredRows(files, stored);
	const rows = { ...stored, clicks: [...stored.clicks, ...retired] };
	const findings = compareJournal(journal, rows);
	const broken = auditDatabase(sqlite, rows);
	sqlite.close();
	const log = existsSync(launch.logPath) ? readFileSync(launch.logPath, 'utf8') : '';
	const replaced = log.split(REPLACED).length - 1;
	return {
		findings,
		broken,
		retired: { clicks: retired.length, files: files.length, replaced, misplaced },
		unflushed: unflushedClicks(journal, rows),
		notifications: rows.notifications.length,
	};
}

/** Applies load until the server is killed, with a cron run halfway, while clicks retire. */
async function runRound(server: ServerProcess, clients: readonly Client[], retirement: DailyRetirement, loadMs: number): Promise<void> {
	const load = Promise.all(clients.map((client) => client.work(sendTo(server.url))));
	const retired = retirement.untilKilled(server);
	await sleep(loadMs / 2);
	// The kill may interrupt this cron run.
	const swept = server.tick(Date.now() + AHEAD_MS).catch(() => 0);
	await sleep(loadMs / 2);
	await server.kill();
	await Promise.all([load, swept, retired]);
}

function acknowledgedIn({ intents }: Journal): number {
	return intents.filter((intent) => acknowledgements(intent).length > 0).length;
}

/** The crons retry what was lost with the in-memory queues, until nothing is waiting, and retire what was stored since they first ran. */
async function drain(server: ServerProcess): Promise<void> {
	const limit = performance.now() + DRAIN_LIMIT_MS;
	do {
		await server.tick(Date.now() + DRAIN_AHEAD_MS);
		await sleep(2_500);
	} while ((await server.waitingRows()) > 0 && performance.now() < limit);
	await server.retire(Date.now() + DRAIN_AHEAD_MS + 2 * DAY_MS);
}
