import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { HeldService } from '../scripts/upgrade-data/held-service.ts';
import { retireClicks } from '../src/clicks/retire-clicks.ts';
import { storeClicks } from '../src/clicks/store-clicks.ts';
import { openContext } from '../src/context.ts';
import { mintClickId } from '../src/customers/mint-click-id.ts';
import { DAY_MS } from '../src/domain/calendar.ts';
import type { ClickJob } from '../src/job.ts';
import { openBucket } from '../testing/bucket.ts';
import { openD1, openSqliteFile, Statements } from '../testing/d1/look-alike.ts';
import { nodeBindings } from '../testing/service/node-bindings.ts';
import { openService } from '../testing/service/service.ts';
import { BASE } from '../testing/openapi/world.ts';
import { clearIsolateCache } from './isolate-cache.ts';

// A bucket is never restored with the database. So a backup, retirements, an erasure, a restoration and late deliveries happen in every
// order, and each time the clicks are counted once, are in one place, and nothing is left of the erased person.

const STEPS = ['back up', 'retire', 'erase', 'restore', 'deliver late'] as const;
type Step = (typeof STEPS)[number];
const CLICKS = 5;
const AGE_MS = 100 * DAY_MS;
const SECRETS = 'test-secret-newest-0001';

/** Every order in which a backup is made before it is restored. */
const ORDERS = permutations(STEPS).filter((order) => order.indexOf('back up') < order.indexOf('restore'));

interface Base {
	readonly file: string;
	readonly programId: number;
	readonly token: string;
	readonly jobs: readonly ClickJob[];
}

/** The orders that end with something wrong, with what is wrong. */
export async function tryOrders(folder: string): Promise<{ readonly orders: number; readonly faults: readonly string[] }> {
	const base = await begin(folder);
	const faults: string[] = [];
	for (const [index, order] of ORDERS.entries()) {
		const found = await new Life(base, join(folder, `order-${index}`)).live(order);
		faults.push(...found.map((fault) => `${order.join(', ')}: ${fault}`));
	}
	return { orders: ORDERS.length, faults };
}

/** A program with old clicks, which it keeps for 67 days. */
async function begin(folder: string): Promise<Base> {
	const service = new HeldService(() => undefined);
	const token = String(
		(await service.call('/api/v1/auth/sign-up', { body: { email: 'zoe@people.example', password: 'correct horse battery', name: 'Zoe' } }))[
			'token'
		],
	);
	const settings = { name: 'Keeper', time_zone: 'UTC', cookie_window_days: 60, click_retention_days: 67 };
	const programId = Number((await service.call('/api/v1/programs', { token, body: settings }))['id']);
	const path = `/api/v1/programs/${programId}/partners`;
	const { links } = await service.call(path, { token, body: { name: 'Ann', email: 'ann@people.example' } });
	const [link] = Array.isArray(links) ? links : [];
	const ctx = contextOf(service.sqlite, openBucket());
	const jobs = await Promise.all(
		Array.from({ length: CLICKS }, async (_, index): Promise<ClickJob> => {
			const click = { referralLinkId: Number(link?.id), clickedAt: Date.now() - AGE_MS + index, isTest: false };
			return {
				version: 1,
				kind: 'click',
				clickId: await mintClickId(ctx, click),
				programId,
				...click,
				isBot: false,
				pageUrl: `https://shop.example/of-visitor-${index}`,
				pageTitle: null,
				referrerUrl: null,
				sessionId: null,
				userAgent: null,
				language: null,
				timezone: null,
				country: 'DE',
				subId: null,
			};
		}),
	);
	await storeClicks(ctx, jobs);
	const file = join(folder, 'orders.sqlite');
	await backup(service.sqlite, file);
	return { file, programId, token, jobs };
}

function contextOf(sqlite: DatabaseSync, bucket: R2Bucket) {
	const bindings = { ...nodeBindings(openD1(new Statements(sqlite))), SECRETS, CLICK_FILES: bucket };
	return { ...openContext(bindings, { waitUntil() {} }), log: () => undefined };
}

/** The service with its database, which is restored, and its bucket, which is not. */
class Life {
	readonly #base: Base;
	readonly #path: string;
	readonly #bucket = openBucket();
	#sqlite: DatabaseSync;
	#isErased = false;

	constructor(base: Base, path: string) {
		this.#base = base;
		this.#path = path;
		copyFileSync(base.file, path);
		this.#sqlite = this.#open(path);
	}

	/** Returns what is wrong at the end, when everything has been retired and delivered again. */
	async live(order: readonly Step[]): Promise<string[]> {
		for (const step of order) await this.#do(step);
		await this.#do('retire');
		await this.#do('deliver late');
		const faults = [...this.#faultsOfPlaces(), ...(await this.#faultsOfErasure())];
		this.#sqlite.close();
		return faults;
	}

	async #do(step: Step): Promise<void> {
		switch (step) {
			case 'back up':
				await backup(this.#sqlite, `${this.#path}-backup`);
				return;
			case 'restore':
				this.#sqlite.close();
				this.#sqlite = this.#open(`${this.#path}-backup`);
				// As the guide says.
				if (this.#isErased) await this.#erase();
				return;
			case 'retire':
				this.#sqlite.exec('UPDATE programs SET retire_clicks_at = 1 WHERE click_retention_days IS NOT NULL');
				await retireClicks(contextOf(this.#sqlite, this.#bucket), { programs: 1, slices: 9, clicksPerFile: 2 });
				return;
			case 'erase':
				this.#isErased = true;
				await this.#erase();
				return;
			case 'deliver late':
				await storeClicks(contextOf(this.#sqlite, this.#bucket), this.#base.jobs);
		}
	}

	#open(path: string): DatabaseSync {
		clearIsolateCache();
		return openSqliteFile(path);
	}

	/** The first visitor. 404 if nothing of them is stored any more. */
	async #erase(): Promise<void> {
		const { programId, token, jobs } = this.#base;
		const bindings = { ...nodeBindings(openD1(new Statements(this.#sqlite))), SECRETS, CLICK_FILES: this.#bucket };
		const worker = openService(bindings, { isHolding: true });
		const request = new Request(`${BASE}/api/v1/programs/${programId}/customers/erase`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
			body: JSON.stringify({ click_id: jobs[0]?.clickId }),
		});
		const { status } = await worker.fetch(request);
		if (status !== 200 && status !== 404) throw new Error(`The erasure responded with ${status}`);
	}

	#faultsOfPlaces(): string[] {
		const counted = Number(this.#sqlite.prepare('SELECT sum(clicks) AS n FROM daily_performance').get()?.['n']);
		const rows = Number(this.#sqlite.prepare('SELECT count(*) AS n FROM affiliate_click_events').get()?.['n']);
		const retired = Number(this.#sqlite.prepare('SELECT sum(clicks) AS n FROM retired_click_days').get()?.['n']);
		return [
			...(counted === CLICKS ? [] : [`${counted} clicks are counted`]),
			...(rows + retired === CLICKS ? [] : [`${rows} clicks are in the table and ${retired} in files`]),
		];
	}

	async #faultsOfErasure(): Promise<string[]> {
		const texts = await this.#bucket.texts();
		const stored = this.#sqlite.prepare('SELECT click_id, page_url FROM affiliate_click_events').all();
		const all = [...texts, JSON.stringify(stored)].join();
		return this.#base.jobs.flatMap(({ clickId, pageUrl }, index) => {
			const isThere = all.includes(clickId) || all.includes(String(pageUrl));
			return isThere === (index === 0) ? [`visitor ${index} is ${isThere ? 'still' : 'no longer'} stored`] : [];
		});
	}
}

function permutations<Item>(items: readonly Item[]): Item[][] {
	if (items.length === 0) return [[]];
	return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
