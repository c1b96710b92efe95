import { WorkerEntrypoint } from 'cloudflare:workers';
import { openContext } from '../src/context.ts';
import worker from '../src/index.ts';
import { consume as consumeMessages } from '../src/jobs/consume.ts';
import type { ProgramDays } from '../src/reporting/compared-days.ts';
import { aroundTrips } from '../testing/d1/each-trip.ts';
import { metered, type MeteredDatabase, type StatementCost } from '../testing/d1/metered.ts';
import { eachLimit, UNLIMITED } from '../testing/limits.ts';
import { type Deferring, deliverHeld, heldQueues, logLines, tickAtRestOfTheHour, verifyDay } from './by-hand.ts';

// The deployed build of the service, plus a control entrypoint on its own socket through which the benchmark changes the service's
// bindings.

export interface Settings {
	/** Whether the rate-limit bindings are called. */
	readonly isLimited: boolean;
	/** Time added to each trip to D1, in ms. */
	readonly latencyMs: number;
	/** Whether the costs of trips are added up, starting when this is set. */
	readonly isMetered: boolean;
	/** Whether the consumer is paused. */
	readonly isPaused: boolean;
	/** Whether messages are held for manual delivery instead of going to the queues. */
	readonly isHeld: boolean;
}

export interface State {
	/** The number of messages processed, by queue. */
	readonly consumed: Record<string, number>;
	/** The D1 costs of the requests and of the consumer. */
	readonly spent: { readonly requests: Spent; readonly consumer: Spent };
	/** The statements of the requests and of the consumer. */
	readonly statements: readonly StatementCost[];
	readonly logLines: number;
	readonly databaseBytes: number;
}

type Spent = ReturnType<MeteredDatabase['spent']>;

const PAUSE_MS = 5;

let settings: Settings = { isLimited: false, latencyMs: 0, isMetered: false, isPaused: false, isHeld: false };
let bindings: { requests: Env; consumer: Env } | undefined;
let meters: { requests: MeteredDatabase; consumer: MeteredDatabase } | undefined;
const consumed: Record<string, number> = {};

function bindingsOf(env: Env) {
	bindings ??= { requests: adapt(env, meters?.requests), consumer: adapt(env, meters?.consumer) };
	return bindings;
}

/** The service's bindings, modified by the settings. */
function adapt(env: Env, meter: MeteredDatabase | undefined): Env {
	const { latencyMs, isLimited, isHeld } = settings;
	const delayed = aroundTrips(env.DB, async (go) => {
		await scheduler.wait(latencyMs);
		return go();
	});
	return {
		...env,
		DB: meter ?? (latencyMs > 0 ? delayed : env.DB),
		...(isHeld ? heldQueues : {}),
		...(isLimited ? {} : eachLimit(UNLIMITED)),
	};
}

export class Control extends WorkerEntrypoint<Env> {
	override async fetch(request: Request): Promise<Response> {
		switch (new URL(request.url).pathname) {
			case '/settings':
				settings = { ...settings, ...(await request.json<Partial<Settings>>()) };
				bindings = undefined;
				meters = settings.isMetered ? { requests: metered(this.env.DB), consumer: metered(this.env.DB) } : undefined;
				return Response.json({});
			case '/sql':
				return Response.json((await this.env.DB.prepare(await request.text()).run()).results);
			case '/state':
				return Response.json(await this.#state());
			case '/deliver':
				await deliverHeld(await request.json<Record<string, number>>(), (batch, execution) => consume(batch, this.env, execution));
				return Response.json({});
			case '/verify':
				await verifyDay(bindingsOf(this.env).consumer, await request.json<ProgramDays>());
				return Response.json({});
			case '/tick':
				await tickAtRestOfTheHour(bindingsOf(this.env).consumer);
				return Response.json({});
			default:
				return new Response(null, { status: 404 });
		}
	}

	async #state(): Promise<State> {
		const nothing = { trips: 0, rowsRead: 0, rowsWritten: 0 };
		const spent = { requests: meters?.requests.spent() ?? nothing, consumer: meters?.consumer.spent() ?? nothing };
		const statements = [...(meters?.requests.statements() ?? []), ...(meters?.consumer.statements() ?? [])];
		const { meta } = await this.env.DB.prepare('SELECT 1').run();
		return { consumed, spent, statements, logLines: logLines(), databaseBytes: meta.size_after };
	}
}

async function consume(batch: MessageBatch, env: Env, execution: Deferring): Promise<void> {
	await consumeMessages(openContext(bindingsOf(env).consumer, execution), batch);
	consumed[batch.queue] = (consumed[batch.queue] ?? 0) + batch.messages.length;
}

export default {
	fetch: (request, env, execution) => worker.fetch(request, bindingsOf(env).requests, execution),
	async queue(batch, env, execution) {
		while (settings.isPaused) await scheduler.wait(PAUSE_MS);
		await consume(batch, env, execution);
	},
} satisfies ExportedHandler<Env>;
