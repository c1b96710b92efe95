import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { unstable_splitSqlQuery } from 'wrangler';
import { workerOptions } from '../built-worker.ts';
import { startMiniflare } from '../miniflare.ts';
import { ROOT } from '../root.ts';
import type { Worker } from './state.ts';

/** workerd's own D1, and the uploaded Worker as soon as it is called. */
export class Databases {
	readonly #folder = mkdtempSync(join(tmpdir(), 'affiliate-cloud-'));
	readonly #ids = new Set<string>();
	#worker: Worker | undefined;
	#miniflare: Miniflare | undefined;

	/** Runs the statements in one transaction, as D1 does. */
	async query(id: string, sql: string): Promise<unknown[]> {
		if (!this.#ids.has(id)) await this.stop();
		this.#ids.add(id);
		const miniflare = await this.#started();
		const db = await miniflare.getD1Database(id, 'door');
		const results = await db.batch(unstable_splitSqlQuery(sql).map((statement) => db.prepare(statement)));
		return results.map(({ results: rows, success }) => ({ results: rows, success, meta: { duration: 1 } }));
	}

	async fetch(worker: Worker, url: string, { method, headers, body }: RequestInit): Promise<Response> {
		if (this.#worker !== worker) await this.stop();
		this.#worker = worker;
		const miniflare = await this.#started();
		const answer = await miniflare.dispatchFetch(url, {
			method: method ?? 'GET',
			headers: [...new Headers(headers)],
			...(typeof body === 'string' ? { body } : {}),
		});
		return new Response(await answer.text(), { status: answer.status, headers: [...answer.headers] });
	}

	/** Keeps the data. */
	async stop(): Promise<void> {
		const running = this.#miniflare;
		this.#miniflare = undefined;
		await running?.dispose();
	}

	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.#folder, { recursive: true, force: true });
	}

	async #started(): Promise<Miniflare> {
		if (this.#miniflare) return this.#miniflare;
		const door = {
			name: 'door',
			modules: true as const,
			script: 'export default { fetch: () => new Response() }',
			compatibilityDate: '2026-10-23',
			d1Databases: Object.fromEntries([...this.#ids].map((id) => [id, id])),
		};
		const app = this.#worker && appOptions(this.#worker);
		this.#miniflare = startMiniflare({ resourcePersistencePath: this.#folder, workers: app ? [app, door] : [door] });
		await this.#miniflare.ready;
		// A newly deployed Worker runs its crons within the first minute.
		if (app) await (await this.#miniflare.getWorker('app')).scheduled({ cron: '* * * * *' });
		return this.#miniflare;
	}
}

function appOptions({ main, modules, bindings }: Worker) {
	const named = (...types: string[]) => bindings.filter(({ type }) => types.includes(type));
	const root = join(ROOT, 'dist/deployed');
	const inOrder = [main, ...[...modules.keys()].filter((name) => name !== main)];
	return {
		...workerOptions(),
		name: 'app',
		modulesRoot: root,
		modules: inOrder.map((name) => ({ type: 'ESModule' as const, path: join(root, name), contents: modules.get(name) ?? '' })),
		bindings: Object.fromEntries(named('plain_text', 'secret_text').map(({ name, text }) => [name, text ?? ''])),
		d1Databases: Object.fromEntries(named('d1').map(({ name, id }) => [name, id ?? ''])),
		r2Buckets: Object.fromEntries(named('r2_bucket').map(({ name, bucket_name: bucket }) => [name, String(bucket)])),
		queueProducers: Object.fromEntries(named('queue').map(({ name, queue_name: queue }) => [name, String(queue)])),
	};
}
