import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { brokenInvariants } from '../crash/books.ts';
import { makeRestorable } from '../scripts/restorable/make-restorable.ts';
import { HeldService } from '../scripts/upgrade-data/held-service.ts';
import { RowReader } from '../simulation/world/row-reader.ts';
import { openContext } from '../src/context.ts';
import { runScript } from '../testing/failure.ts';
import { ROOT } from '../testing/root.ts';
import { nodeBindings } from '../testing/service/node-bindings.ts';
import { standStill } from '../testing/service/still.ts';
import { figuresOf } from './figures.ts';
import { contentsOf, LocalD1, migrate } from './local-d1.ts';
import { clickAfterBackup, type Deeds, deedsAfterBackup, LATE_LINK, lastSale, liveUntilBackup, type Lived, storyAt } from './story.ts';

// npm run test:restore: a backup by the very commands of docs/guides/operations.md, another day of events, the backup restored into an
// empty database, and the day told again by those who know of it. Then every figure is what it was, but for the day's clicks.

let failed = 0;

await runScript(async () => {
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-restore-'));
	try {
		await standStill('2026-03-02T03:30:00Z', (goOnAt) => tryRestore(folder, goOnAt));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	console.log(failed === 0 ? '\nEvery figure is what it was.' : `\n${failed} failed`);
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
	check('the backup has rows that need mending', cutRows > 0 && jsonTexts > 0, `${cutRows} were cut, ${jsonTexts} kept their breaks`);

	const sqlite = first.open();
	const service = new HeldService(goOnAt, sqlite);
	const { deeds, clicks } = await liveOn(service, lived);
	const queued = structuredClone(service.worker.held);
	await settle(service);

	await second.run([...importing.map((arg) => (arg === 'restorable.sql' ? restorable : arg)), '--yes']);
	checkContents(second, backedUp);
	await second.run([...skipping, '--yes']);
	const restored = second.open();
	check('the count of rows is told', rows.get('customers') === backedUp.get('customers')?.length, String(rows.get('customers')));

	forgetIsolate();
	const later = new HeldService(goOnAt, restored);
	later.goOnAt('31', '18:00');
	for (const { queue, body } of queued) await later.worker.deliver(queue, body);
	await tellAgain(later, lived, deeds);
	await settle(later);

	const [was, is] = [await figuresOf(service, lived), await figuresOf(later, lived)];
	for (const [question, answer] of was) {
		const now = is.get(question) ?? '';
		check(question, now === answer, firstDifference(now.split('\n'), answer.split('\n')));
	}
	const [link, linkAgain] = [sqlite, restored].map((books) => idOf(books, LATE_LINK));
	check('a link that is made again has a number of its own', link !== linkAgain && linkAgain !== undefined, `${String(linkAgain)} is both`);
	const lost = countClicks(sqlite) - countClicks(restored);
	check(`of the clicks those are lost that were stored after the backup`, lost === clicks, `${lost} are`);
	for (const [name, books] of [
		['first', sqlite],
		['restored', restored],
	] as const) {
		const broken = brokenInvariants(new RowReader(books).all());
		check(`the books of the ${name} database are in order`, broken.length === 0, broken.join('\n'));
		books.close();
	}
}

/** What this process knows of the first database: the restored one is another service's. */
function forgetIsolate(): void {
	for (const part of Object.values(openContext(nodeBindings(), { waitUntil() {} }))) if (part instanceof Map) part.clear();
}

/** The arguments of wrangler that the guide has for a backup, for its restoration, and for numbers that nobody was given. */
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

/** The day after the backup; how many clicks of it are stored, and what its last minute leaves on the queues. */
async function liveOn(service: HeldService, lived: Lived): Promise<{ readonly deeds: Deeds; readonly clicks: number }> {
	service.goOnAt('31');
	const story = storyAt(service, lived.story);
	const before = countClicks(service.sqlite);
	const clicks = await clickAfterBackup(story);
	await service.worker.deliverHeld();
	const stored = countClicks(service.sqlite) - before;
	const deeds = deedsAfterBackup(clicks);
	for (const deed of deeds.told) await deed(story);
	await settle(service);
	service.goOnAt('31', '13:00');
	for (const deed of deeds.done) await deed(story);
	await service.worker.deliverHeld();
	await story.shop.click('ann', { country: 'DE' });
	await lastSale(story);
	return { deeds, clicks: stored };
}

/** In its order; what people did rests on the rest. */
async function tellAgain(service: HeldService, lived: Lived, { told, done }: Deeds): Promise<void> {
	const story = storyAt(service, lived.story);
	for (const deed of told) await deed(story);
	await settle(service);
	for (const deed of done) await deed(story);
	await lastSale(story);
}

/** What was exported is what the database is now. */
function checkContents(database: LocalD1, were: ReadonlyMap<string, readonly string[]>): void {
	const sqlite = database.open();
	const are = contentsOf(sqlite);
	sqlite.close();
	for (const [what, lines] of were)
		if (!same(are.get(what), lines)) check(`${what} came back`, false, firstDifference(are.get(what) ?? [], lines));
	check('every table, index and trigger came back, with every row', same([...are.keys()], [...were.keys()]), [...are.keys()].join());
}

function idOf(sqlite: DatabaseSync, shortLink: string): unknown {
	return sqlite.prepare('SELECT id FROM referral_links WHERE short_link LIKE ?').get(`${shortLink}-of-%`)?.['id'];
}

/** All that waits is done. */
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
	// Straight to the terminal: while the clock stands still the console is quiet about what the service logs.
	process.stdout.write(holds ? `ok    ${what}\n` : `FAIL  ${what}: ${detail}\n`);
}
