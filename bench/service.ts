import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltWorker, buildWorker, workerOptions } from '../testing/built-worker.ts';
import { Failure } from '../testing/failure.ts';
import { eachLimit } from '../testing/limits.ts';
import { migrationFiles } from '../testing/migrations.ts';
import { LOOPBACK, startMiniflare } from '../testing/miniflare.ts';
import { childNamed } from './cpu.ts';
import type { Settings, State } from './worker.ts';

// One workerd with the service, a bare Hono Worker and a local D1 on disk. Each Worker has its own socket.

export const SECRETS = 'benchmark-secret-0001';
const DRAIN_LIMIT_MS = 120_000;
const POLL_MS = 25;

/** The queue that a request sends to, and the number of messages that result. */
export interface Sending {
	readonly name: 'affiliate-clicks' | 'affiliate-effects';
	readonly messages: number;
}

export interface Service {
	readonly app: URL;
	readonly noop: URL;
	/** The no-op behind the emulated routing of static assets. */
	readonly routedNoop: URL;
	readonly workerd: number;
	/** Returns the JSON of a response; throws unless it is 2xx. */
	call(path: string, call?: { method?: string; token?: string; body?: object; headers?: Record<string, string> }): Promise<unknown>;
	readonly sql: (statement: string) => Promise<unknown>;
	set(settings: Partial<Settings>): Promise<unknown>;
	state(): Promise<State>;
	/** Delivers the held messages, and any that result from them. */
	deliver(): Promise<unknown>;
	/** Runs the crons once. */
	tick(): Promise<unknown>;
	/** Compares today's daily rows with the raw rows. */
	verify(programId: number): Promise<unknown>;
	/** Waits until the consumer has processed that many requests' messages since that state. */
	drained(since: State, queue: Sending | undefined, requests: number): Promise<void>;
	dispose(): Promise<void>;
}

/** The build that `npm run deploy` would upload. */
export function builtFor(entry: string, folder: string): BuiltWorker['script'] {
	return buildWorker(entry, join(folder, basename(entry, '.ts')), { minify: true }).script;
}

/** The deployed Worker's options in wrangler.toml: bindings, queues with their consumers, limits. */
export function deployedOptions() {
	const options = workerOptions();
	return {
		...options,
		bindings: { ...options.bindings, SIGN_UP: 'open', SECRETS, SETUP_TOKEN: 'benchmark-setup-token' },
		// No crons, and no limit that can be reached, because the cost of rate limits is measured separately.
		cronTriggers: [],
		ratelimits: eachLimit({ namespace_id: '7399', simple: { limit: 100_000_000, period: 60 } } as const),
	};
}

/** Options that are missing in the types. */
interface Deployed {
	readonly queueConsumers: Readonly<Record<string, { readonly maxBatchSize: number }>>;
}

export async function startService(folder: string): Promise<Service> {
	// The emulation routes every request to a Worker with assets through three more Workers: see measureRouting.
	const deployed = deployedOptions();
	const { assets: _routed, ...options } = deployed as typeof deployed & { readonly assets?: unknown };
	const { queueConsumers } = deployed as unknown as Deployed;
	const noop = builtFor('bench/noop.ts', folder);
	const miniflare = startMiniflare({
		resourcePersistencePath: join(folder, 'data'),
		workers: [
			{
				...options,
				name: 'app',
				...builtFor('bench/worker.ts', folder),
				unsafeDirectSockets: [LOOPBACK, { ...LOOPBACK, entrypoint: 'Control' }],
			},
			{ ...noop, name: 'noop', compatibilityDate: deployed.compatibilityDate, unsafeDirectSockets: [LOOPBACK] },
			{ ...deployed, ...noop, name: 'routed-noop', queueConsumers: {}, unsafeDirectSockets: [LOOPBACK] },
		],
	});
	const app = await miniflare.unsafeGetDirectURL('app');
	const control = await miniflare.unsafeGetDirectURL('app', 'Control');
	const ask = async (path: string, body?: string) =>
		jsonOf(await fetch(new URL(path, control), body === undefined ? {} : { method: 'POST', body }));
	const state = async () => (await ask('/state')) as State;
	const batchSizes = Object.fromEntries(Object.entries(queueConsumers).map(([queue, { maxBatchSize }]) => [queue, maxBatchSize]));
	const deliver = () => ask('/deliver', JSON.stringify(batchSizes));
	let isHeld = false;
	const service: Service = {
		app,
		noop: await miniflare.unsafeGetDirectURL('noop'),
		routedNoop: await miniflare.unsafeGetDirectURL('routed-noop'),
		workerd: childNamed('workerd'),
		call: async (path, { method = 'POST', token, body, headers = {} } = {}) =>
			jsonOf(
				await fetch(new URL(path, app), {
					headers: { 'Content-Type': 'application/json', ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
					...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
				}),
			),
		sql: (statement) => ask('/sql', statement),
		set: (settings) => {
			isHeld = settings.isHeld ?? isHeld;
			return ask('/settings', JSON.stringify(settings));
		},
		state,
		deliver,
		tick: () => ask('/tick', ''),
		verify: (id) => ask('/verify', JSON.stringify({ id, timeZone: 'UTC' })),
		async drained(since, queue, requests) {
			if (isHeld) await deliver();
			if (!queue) return;
			const limit = performance.now() + DRAIN_LIMIT_MS;
			const target = (since.consumed[queue.name] ?? 0) + queue.messages * requests;
			while (((await state()).consumed[queue.name] ?? 0) < target) {
				if (performance.now() > limit) throw new Failure(`The queue ${queue.name} did not drain`);
				await sleep(POLL_MS);
			}
		},
		dispose: () => miniflare.dispose(),
	};
	for (const { statements } of migrationFiles()) for (const statement of statements) await service.sql(statement);
	return service;
}

async function jsonOf(response: Response): Promise<unknown> {
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.url} responded with ${response.status}: ${text}`);
	return JSON.parse(text);
}
