import { WorkerEntrypoint } from 'cloudflare:workers';
import worker from '../src/index.ts';
import { aroundTrips } from '../test/support/each-trip.ts';
import { metered, type MeteredDatabase } from '../test/support/metered.ts';

// The service as it is built for deployment, and beside it, on a socket of its own, a door for the benchmark: what it sets
// there changes the bindings that the service is given.

export interface Settings {
	/** Whether the rate-limit bindings are asked. */
	readonly isLimited: boolean;
	/** ms that each trip to D1 takes longer. */
	readonly latencyMs: number;
	/** Whether the cost of the trips is summed up: since this was set. */
	readonly isMetered: boolean;
	/** Whether the queues hold their messages back. */
	readonly isPaused: boolean;
}

export interface State {
	/** Messages that the consumer is done with, by queue. */
	readonly consumed: Record<string, number>;
	/** What the requests, and what the consumer spent on D1. */
	readonly spent: { readonly requests: Spent; readonly consumer: Spent };
}

type Spent = ReturnType<MeteredDatabase['spent']>;

const PAUSE_MS = 5;

let settings: Settings = { isLimited: false, latencyMs: 0, isMetered: false, isPaused: false };
let bindings: { requests: Env; consumer: Env } | undefined;
let meters: { requests: MeteredDatabase; consumer: MeteredDatabase } | undefined;
const consumed: Record<string, number> = {};

function bindingsOf(env: Env) {
	bindings ??= { requests: dress(env, meters?.requests), consumer: dress(env, meters?.consumer) };
	return bindings;
}

/** What the service is given instead of the platform's own bindings. */
function dress(env: Env, meter: MeteredDatabase | undefined): Env {
	const { latencyMs, isLimited } = settings;
	const open: RateLimit = { limit: async () => ({ success: true }) };
	const delayed = aroundTrips(env.DB, async (go) => {
		await scheduler.wait(latencyMs);
		return go();
	});
	return {
		...env,
		DB: meter ?? (latencyMs > 0 ? delayed : env.DB),
		...(isLimited ? {} : { BROWSER_LIMIT: open, SERVER_LIMIT: open, SIGN_IN_LIMIT: open, KEY_LIMIT: open, SESSION_LIMIT: open }),
	};
}

export class Door extends WorkerEntrypoint<Env> {
	override async fetch(request: Request): Promise<Response> {
		switch (new URL(request.url).pathname) {
			case '/settings':
				settings = { ...settings, ...(await request.json<Partial<Settings>>()) };
				bindings = undefined;
				meters = settings.isMetered ? { requests: metered(this.env.DB), consumer: metered(this.env.DB) } : undefined;
				return Response.json({});
			case '/sql':
				return Response.json((await this.env.DB.prepare(await request.text()).run()).results);
			case '/state': {
				const nothing = { trips: 0, rowsRead: 0, rowsWritten: 0 };
				const spent = { requests: meters?.requests.spent() ?? nothing, consumer: meters?.consumer.spent() ?? nothing };
				return Response.json({ consumed, spent } satisfies State);
			}
			default:
				return new Response(null, { status: 404 });
		}
	}
}

export default {
	fetch: (request, env, execution) => worker.fetch(request, bindingsOf(env).requests, execution),
	async queue(batch, env, execution) {
		while (settings.isPaused) await scheduler.wait(PAUSE_MS);
		await worker.queue(batch, bindingsOf(env).consumer, execution);
		consumed[batch.queue] = (consumed[batch.queue] ?? 0) + batch.messages.length;
	},
} satisfies ExportedHandler<Env>;
