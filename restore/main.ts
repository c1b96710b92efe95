import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { brokenInvariants } from '../crash/books.ts';
import { makeRestorable } from '../scripts/restorable/make-restorable.ts';
import { HeldService } from '../scripts/upgrade-data/held-service.ts';
import { RowReader } from '../simulation/world/row-reader.ts';
import { runScript } from '../testing/failure.ts';
import { ROOT } from '../testing/root.ts';
import { standStill } from '../testing/service/still.ts';
import { figuresOf } from './figures.ts';
import { clearIsolateCache } from './isolate-cache.ts';
import { contentsOf, LocalD1, migrate } from './local-d1.ts';
import { tryOrders } from './orders.ts';
import { clickAfterBackup, type Deeds, deedsAfterBackup, LATE_LINK, lastSale, liveUntilBackup, type Lived, storyAt } from './story.ts';

// npm run test:restore makes a backup with the commands in docs/guides/operations.md, records another day of events, restores the backup
// into an empty database, and reports that day again. Every figure must be the same, except those of clicks. Then retired
// clicks: their files are not restored (orders.ts).

let failed = 0;

await runScript(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-restore-'));
	try {
		const { orders, faults } = await tryOrders(folder);
		check(`files of clicks agree with the database in ${orders} orders`, faults.length === 0, faults.join('\n      '));
		await standStill('2026-03-02T03:30:00Z', (goOnAt) => tryRestore(folder, goOnAt));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	console.log(failed === 0 ? '\nEvery figure is the same as before.' : `\n${failed} failed`);
	return failed === 0 ? 0 : 1;
});

async function tryRestore(folder: string, goOnAt: (instant: string) => void): Promise<void> {
	const [exporting, importing, skipping] = guideCommands();
	const [exported, restorable] = [join(folder, 'backup.sql'), join(folder, 'restorable.sql')];
	const [first, second] = [await LocalD1.make(join(folder, 'first')), await LocalD1.make(join(folder, 'second'))];

	const before = first.open();
	migrate(before);
	const lived = await liveUntilBackup(before, goOnAt);
	const backedUp = contentsOf(before);
	before.close();
	await first.run(exporting.map((arg) => (arg === 'backup.sql' ? exported : arg)));
	const { rows, cutRows, jsonTexts } = await makeRestorable(exported, restorable);
	check(
		'the backup has rows that need repair',
		cutRows > 0 && jsonTexts > 0,
		`${cutRows} rows were cut, ${jsonTexts} texts kept their line breaks`,
	);

	const sqlite = first.open();
	const service = new HeldService(goOnAt, sqlite);
	const { deeds, clicks } = await liveOn(service, lived);
	const queued = structuredClone(service.worker.held);
	await settle(service);

	await second.run([...importing.map((arg) => (arg === 'restorable.sql' ? restorable : arg)), '--yes']);
	checkContents(second, backedUp);
	await second.run([...skipping, '--yes']);
	const restored = second.open();
	check('the count of rows is reported', rows.get('customers') === backedUp.get('customers')?.length, String(rows.get('customers')));

	clearIsolateCache();
	const later = new HeldService(goOnAt, restored);
	later.goOnAt('31', '18:00');
	for (const { queue, body } of queued) await later.worker.deliver(queue, body);
	await reportAgain(later, lived, deeds);
	await settle(later);

	const [was, is] = [await figuresOf(service, lived), await figuresOf(later, lived)];
	for (const [question, answer] of was) {
		const now = is.get(question) ?? '';
		check(question, now === answer, firstDifference(now.split('\n'), answer.split('\n')));
	}
	const [link, linkAgain] = [sqlite, restored].map((database) => idOf(database, LATE_LINK));
	check('a link that is created again gets a new id', link !== linkAgain && linkAgain !== undefined, `both have ${String(linkAgain)}`);
	const lost = countClicks(sqlite) - countClicks(restored);
	check('only the clicks after the backup are lost', lost === clicks, `${lost} lost, ${clicks} stored after the backup`);
	for (const [name, database] of [
		['first', sqlite],
		['restored', restored],
	] as const) {
		const broken = brokenInvariants(new RowReader(database).all());
		check(`the ${name} database passes every invariant`, broken.length === 0, broken.join('\n'));
		database.close();
	}
}

/** The guide's wrangler arguments for a backup, for restoring it, and for skipping ids that were issued after it. */
function guideCommands(): readonly [exporting: readonly string[], importing: readonly string[], skipping: readonly string[]] {
	const guide = readFileSync(join(ROOT, 'docs/guides/operations.md'), 'utf8');
	const command = (what: RegExp) => {
		const [args] = what.exec(guide) ?? [];
		if (args === undefined) throw new Error(`The guide has no ${what.source}`);
		return [...args.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
	};
	return [
		command(/d1 export DB [^`]+/),
		command(/d1 execute \S+ --remote --file [^`]+/),
		command(/d1 execute \S+ --remote --command [^`]+/),
	];
}

/** The day after the backup. Returns how many of its clicks were stored; messages from its last minute stay in the queues. */
async function liveOn(service: HeldService, lived: Lived): Promise<{ readonly deeds: Deeds; readonly clicks: number }> {
	service.goOnAt('31');
	const story = storyAt(service, lived.story);
	const before = countClicks(service.sqlite);
	const clicks = await clickAfterBackup(story);
	await service.worker.deliverHeld();
	const stored = countClicks(service.sqlite) - before;
	const deeds = deedsAfterBackup(clicks);
	for (const deed of deeds.reported) await deed(story);
	await settle(service);
	service.goOnAt('31', '13:00');
	for (const deed of deeds.done) await deed(story);
	await service.worker.deliverHeld();
	await story.shop.click('ann', { country: 'DE' });
	await lastSale(story);
	return { deeds, clicks: stored };
}

/** Events are reported first, in the original order, because what people did depends on them. */
async function reportAgain(service: HeldService, lived: Lived, { reported, done }: Deeds): Promise<void> {
	const story = storyAt(service, lived.story);
	for (const deed of reported) await deed(story);
	await settle(service);
	for (const deed of done) await deed(story);
	await lastSale(story);
}

/** Compares the database with the export. */
function checkContents(database: LocalD1, were: ReadonlyMap<string, readonly string[]>): void {
	const sqlite = database.open();
	const are = contentsOf(sqlite);
	sqlite.close();
	for (const [what, lines] of were)
		if (!same(are.get(what), lines)) check(`${what} was restored`, false, firstDifference(are.get(what) ?? [], lines));
	check('every table, index, trigger and row was restored', same([...are.keys()], [...were.keys()]), [...are.keys()].join());
}

function idOf(sqlite: DatabaseSync, shortLink: string): unknown {
	return sqlite.prepare('SELECT id FROM referral_links WHERE short_link LIKE ?').get(`${shortLink}-of-%`)?.['id'];
}

/** Processes everything that is waiting. */
async function settle(service: HeldService): Promise<void> {
	await service.worker.deliverHeld();
	await service.worker.tick();
	await service.worker.deliverHeld();
}

function countClicks(sqlite: DatabaseSync): number {
	return Number(sqlite.prepare('SELECT count(*) AS clicks FROM affiliate_click_events').get()?.['clicks']);
}

function same(left: readonly string[] | undefined, right: readonly string[]): boolean {
	return JSON.stringify(left) === JSON.stringify(right);
}

function firstDifference(is: readonly string[], was: readonly string[]): string {
	const index = was.findIndex((line, at) => line !== is[at]);
	return `is ${is[index]?.slice(0, 400)}\n      was ${was[index]?.slice(0, 400)}`;
}

function check(what: string, holds: boolean, detail: string): void {
	if (!holds) failed += 1;
	// Writes directly to stdout, because the console is silent while the clock is stopped.
	process.stdout.write(holds ? `ok    ${what}\n` : `FAIL  ${what}: ${detail}\n`);
}
