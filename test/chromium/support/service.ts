import type { Response } from 'miniflare';
import { type BuiltWorker, workerOptions } from '../../../testing/built-worker.ts';
import { migrate } from '../../../testing/migrations.ts';
import { startMiniflare } from '../../../testing/miniflare.ts';

/** The seconds until the queue stores a click, and until the effects of a sale or refund are applied. */
const QUEUE_SECONDS = 0.05;

/** The built Worker with a fresh database, like `npm run dev`. */
export interface Service {
	/** The service's own URL, without a trailing slash. */
	readonly url: string;
	fetch(url: string, init: { method: string; headers: Headers; body: string | undefined }): Promise<Response>;
	rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]>;
	stop(): Promise<void>;
}

export async function startService(built: BuiltWorker['script']): Promise<Service> {
	const options = workerOptions('dev');
	const miniflare = startMiniflare({
		...options,
		name: 'affiliate-tracker',
		...built,
		bindings: { ...options.bindings, SECRETS: 'browser-test-secret-0001', SETUP_TOKEN: 'browser-test-setup' },
		queueConsumers: {
			'affiliate-clicks': { maxBatchSize: 100, maxBatchTimeout: QUEUE_SECONDS },
			'affiliate-effects': { maxBatchSize: 50, maxBatchTimeout: QUEUE_SECONDS },
			'affiliate-webhooks': { maxBatchSize: 10, maxBatchTimeout: QUEUE_SECONDS },
		},
	});
	const { origin } = await miniflare.ready;
	const db = await miniflare.getD1Database('DB');
	await migrate(db);
	return {
		url: origin,
		fetch: (url, { method, headers, body }) =>
			miniflare.dispatchFetch(url, { method, headers: [...headers], redirect: 'manual', ...(body === undefined ? {} : { body }) }),
		rows: async <Row>(sql: string, ...values: unknown[]) => {
			const { results } = await db
				.prepare(sql)
				.bind(...values)
				.all<Row>();
			return results;
		},
		stop: () => miniflare.dispose(),
	};
}
