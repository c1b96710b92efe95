import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Databases } from './databases.ts';
import type { Binding, Database, State, Worker } from './state.ts';

// The part of Cloudflare's API that wrangler and the deployment call, with the fields that they read.

export interface Call {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly body: Uint8Array<ArrayBuffer>;
	readonly contentType: string;
	/** A bucket's jurisdiction. */
	readonly jurisdiction: string | undefined;
}

export interface Cloud {
	readonly accounts: { readonly id: string; readonly name: string }[];
	readonly state: State;
	readonly databases: Databases;
}

export class Refused extends Error {
	readonly status: number;
	readonly code: number;

	constructor(status: number, code: number, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

export interface Route {
	readonly name: string;
	readonly method: string;
	readonly path: RegExp;
	readonly answer: (cloud: Cloud, call: Call, name: string, id: string) => unknown;
}

const ACCOUNT = String.raw`^/accounts/[0-9a-f]{32}`;
const SCRIPT = String.raw`/workers/scripts/([^/]+)`;

function route(name: string, method: string, path: string, answer: Route['answer']): Route {
	return { name, method, path: new RegExp(`${path.startsWith('^') ? '' : ACCOUNT}${path}$`), answer };
}

export const ROUTES: readonly Route[] = [
	route('accounts list', 'GET', '^/accounts', ({ accounts }) => accounts),
	route('memberships list', 'GET', '^/memberships', ({ accounts }) => accounts.map((account) => ({ account }))),

	route('d1 list', 'GET', '/d1/database', ({ state }, { query }) =>
		state.databases.filter(({ name }) => name === (query.get('name') ?? name)).map(shown),
	),
	route('d1 create', 'POST', '/d1/database', createDatabase),
	route('d1 find', 'GET', '/d1/database/([^/]+)', ({ state }, _, uuid) => shown(databaseOf(state, uuid))),
	route('d1 query', 'POST', '/d1/database/([^/]+)/query', ({ state, databases }, call, uuid) =>
		databases.query(databaseOf(state, uuid).uuid, z.object({ sql: z.string() }).parse(json(call)).sql),
	),

	route('queues list', 'GET', '/queues', ({ state }, { query }) =>
		query.has('name') ? state.queues.filter((queue) => query.getAll('name').includes(queue.queue_name)) : state.queues,
	),
	route('queues create', 'POST', '/queues', createQueue),
	route('consumers create', 'POST', '/queues/([^/]+)/consumers', createConsumer),
	route('consumers update', 'PUT', '/queues/([^/]+)/consumers/([^/]+)', updateConsumer),

	route('r2 find', 'GET', '/r2/buckets/([^/]+)', ({ state }, { jurisdiction }, name) => {
		requireR2(state);
		const bucket = bucketOf(state, name, jurisdiction);
		if (!bucket) throw new Refused(404, 10_006, 'The specified bucket does not exist.');
		return bucket;
	}),
	route('r2 create', 'POST', '/r2/buckets', createBucket),

	route('service find', 'GET', '/workers/services/([^/]+)', ({ state }, _, name) => {
		if (!state.workers.has(name)) throw new Refused(404, 10_090, 'workers.api.error.service_not_found');
		return { default_environment: { environment: 'production', script: { last_deployed_from: 'wrangler', tag: 'tag', tags: [] } } };
	}),
	route('script upload', 'PUT', SCRIPT, upload),
	route('version upload', 'POST', `${SCRIPT}/versions`, upload),
	route('deployments list', 'GET', `${SCRIPT}/deployments`, ({ state }, _, name) => {
		workerOf(state, name);
		return { deployments: [{ id: 'd', versions: [{ version_id: 'v', percentage: 100 }] }] };
	}),
	route('deployments create', 'POST', `${SCRIPT}/deployments`, ({ state }, _, name) => void workerOf(state, name)),
	route('settings read', 'GET', `${SCRIPT}/settings`, ({ state }, _, name) => {
		const { bindings, placement } = workerOf(state, name);
		return { bindings: bindings.map((binding) => (binding.type === 'secret_text' ? { ...binding, text: undefined } : binding)), placement };
	}),
	route('script settings', 'PATCH', `${SCRIPT}/script-settings`, () => ({})),
	route('secrets list', 'GET', `${SCRIPT}/secrets`, ({ state }, _, script) =>
		workerOf(state, script)
			.bindings.filter(({ type }) => type === 'secret_text')
			.map(({ name, type }) => ({ name, type })),
	),
	route('secrets put', 'PUT', `${SCRIPT}/secrets`, ({ state }, call, script) => {
		const { name, text } = z.object({ name: z.string(), text: z.string() }).parse(json(call));
		const worker = workerOf(state, script);
		const bindings = [...worker.bindings.filter((binding) => binding.name !== name), { type: 'secret_text', name, text }];
		state.workers.set(script, { ...worker, bindings });
		return { name, type: 'secret_text' };
	}),
	route('assets session', 'POST', `${SCRIPT}/assets-upload-session`, ({ state }, call) => {
		const { manifest } = z.object({ manifest: z.record(z.string(), z.object({ hash: z.string() })) }).parse(json(call));
		const missing = [...new Set(Object.values(manifest).map(({ hash }) => hash))].filter((hash) => !state.assets.has(hash));
		return { jwt: 'a.session.jwt', buckets: missing.length === 0 ? [] : [missing] };
	}),
	route('assets upload', 'POST', '/workers/assets/upload', async ({ state }, call) => {
		for (const hash of (await form(call)).keys()) state.assets.add(hash);
		return { jwt: 'a.completed.jwt' };
	}),
	route('schedules', 'PUT', `${SCRIPT}/schedules`, ({ state }, call, name) => {
		workerOf(state, name).crons = z
			.array(z.object({ cron: z.string() }))
			.parse(json(call))
			.map(({ cron }) => cron);
		return { schedules: [] };
	}),

	route('subdomain', 'GET', '/workers/subdomain', ({ state }) => {
		if (state.subdomain === undefined) throw new Refused(404, 10_007, 'This account has no workers.dev subdomain.');
		return { subdomain: state.subdomain };
	}),
	route('worker find', 'GET', '/workers/workers/([^/]+)', ({ state }, _, name) => ({
		id: name,
		name,
		subdomain: { enabled: workerOf(state, name).isOnWorkersDev, previews_enabled: false },
	})),
	route('worker subdomain', 'POST', `${SCRIPT}/subdomain`, ({ state }, call, name) => {
		const { enabled } = z.object({ enabled: z.boolean() }).parse(json(call));
		workerOf(state, name).isOnWorkersDev = enabled;
		return { enabled, previews_enabled: false };
	}),
	route('domains list', 'GET', '/workers/domains', ({ state }) => state.domains),
	route('domains compare', 'POST', `${SCRIPT}/domains/changeset`, () => ({ added: [], removed: [], updated: [], conflicting: [] })),
	route('domains put', 'PUT', `${SCRIPT}/domains/records`, ({ state }, call, service) => {
		const { origins } = z.object({ origins: z.array(z.object({ hostname: z.string() })) }).parse(json(call));
		const others = state.domains.filter(
			(domain) => domain.service !== service && !origins.some(({ hostname }) => hostname === domain.hostname),
		);
		state.domains.splice(0, state.domains.length, ...others, ...origins.map(({ hostname }) => ({ hostname, service })));
		return [];
	}),
];

function createDatabase({ state }: Cloud, call: Call) {
	const {
		name,
		jurisdiction,
		primary_location_hint: location,
	} = z.object({ name: z.string(), jurisdiction: z.optional(z.string()), primary_location_hint: z.optional(z.string()) }).parse(json(call));
	if (state.databases.some((database) => database.name === name)) throw new Refused(400, 7502, 'database already exists');
	const database = { uuid: randomUUID(), name, jurisdiction, location };
	state.databases.push(database);
	return database;
}

/** Cloudflare does not report which location it chose for a hint. */
function shown({ uuid, name, jurisdiction }: Database) {
	return { uuid, name, jurisdiction: jurisdiction ?? null };
}

function createQueue({ state }: Cloud, call: Call) {
	const { queue_name: name } = z.object({ queue_name: z.string() }).parse(json(call));
	if (state.queues.some((queue) => queue.queue_name === name)) throw new Refused(409, 11_009, `Queue name '${name}' is already taken.`);
	const queue = { queue_id: randomUUID(), queue_name: name, consumers: [] };
	state.queues.push(queue);
	return queue;
}

function createBucket({ state }: Cloud, call: Call) {
	requireR2(state);
	const { jurisdiction } = call;
	const { name, locationHint: location } = z.object({ name: z.string(), locationHint: z.optional(z.string()) }).parse(json(call));
	if (bucketOf(state, name, jurisdiction)) throw new Refused(409, 10_004, 'The bucket you tried to create already exists, and you own it.');
	const bucket = { name, jurisdiction, location };
	state.buckets.push(bucket);
	return bucket;
}

function requireR2({ isR2Enabled }: State): void {
	if (!isR2Enabled) throw new Refused(403, 10_042, 'Please enable R2 through the Cloudflare Dashboard.');
}

function bucketOf({ buckets }: State, name: string, jurisdiction: string | undefined) {
	return buckets.find((bucket) => bucket.name === name && bucket.jurisdiction === jurisdiction);
}

const ConsumerBody = z.object({ script_name: z.string(), dead_letter_queue: z.optional(z.string()), settings: z.unknown() });

function createConsumer({ state }: Cloud, call: Call, id: string) {
	const { script_name: script, ...rest } = ConsumerBody.parse(json(call));
	const { consumers } = queueOf(state, id);
	if (consumers.length > 0) throw new Refused(409, 11_004, 'workers.api.error.consumer_exists');
	consumers.push({ consumer_id: randomUUID(), type: 'worker', script, ...rest });
	return {};
}

function updateConsumer({ state }: Cloud, call: Call, id: string, consumer: string) {
	const { script_name: script, ...rest } = ConsumerBody.parse(json(call));
	const { consumers } = queueOf(state, id);
	const index = consumers.findIndex(({ consumer_id: found }) => found === consumer);
	if (index < 0) throw new Refused(404, 11_001, 'consumer not found');
	consumers[index] = { consumer_id: consumer, type: 'worker', script, ...rest };
	return {};
}

const Metadata = z.object({
	main_module: z.string(),
	bindings: z.array(z.looseObject({ type: z.string(), name: z.string(), text: z.optional(z.string()), id: z.optional(z.string()) })),
	keep_bindings: z.optional(z.array(z.string())),
	placement: z.optional(z.unknown()),
});

async function upload({ state }: Cloud, call: Call, name: string) {
	const parts = await form(call);
	const {
		main_module: main,
		bindings,
		keep_bindings: kept = [],
		placement,
	} = Metadata.parse(JSON.parse(await textOf(parts.get('metadata'))));
	const before = state.workers.get(name);
	const own = bindings.filter(({ type }) => type !== 'inherit');
	const named = bindings.filter(({ type }) => type === 'inherit').map((binding) => binding.name);
	const inherited = (before?.bindings ?? []).filter(
		(binding) => (named.includes(binding.name) || kept.includes(binding.type)) && !own.some((other) => other.name === binding.name),
	);
	const lost = named.find((inherits) => !inherited.some((binding) => binding.name === inherits));
	if (lost !== undefined) throw new Refused(400, 10_057, `inherit binding '${lost}' is invalid`);
	const all: Binding[] = [...own, ...inherited];
	requireResources(state, all);
	const modules = new Map<string, string>();
	for (const [part, value] of parts) if (part.endsWith('.mjs')) modules.set(part, await textOf(value));
	const worker: Worker = {
		main,
		modules,
		bindings: all,
		placement,
		uploads: (before?.uploads ?? 0) + 1,
		crons: before?.crons ?? [],
		isOnWorkersDev: before?.isOnWorkersDev ?? false,
	};
	state.workers.set(name, worker);
	return { id: randomUUID(), deployment_id: randomUUID().replaceAll('-', ''), startup_time_ms: 12, resources: { script: { etag: 'e' } } };
}

function requireResources(state: State, bindings: readonly Binding[]): void {
	for (const { type, id, queue_name: queue, bucket_name: bucket, jurisdiction } of bindings) {
		if (type === 'd1' && !state.databases.some(({ uuid }) => uuid === id)) throw new Refused(400, 10_181, 'the database does not exist');
		if (type === 'queue' && !state.queues.some((found) => found.queue_name === queue))
			throw new Refused(400, 11_000, 'the queue does not exist');
		if (type === 'r2_bucket' && !state.buckets.some((found) => found.name === bucket && found.jurisdiction === jurisdiction))
			throw new Refused(400, 10_085, 'the bucket does not exist');
	}
}

function databaseOf(state: State, uuid: string) {
	const database = state.databases.find((found) => found.uuid === uuid);
	if (!database) throw new Refused(404, 7404, 'The database could not be found');
	return database;
}

function queueOf(state: State, id: string) {
	const queue = state.queues.find((found) => found.queue_id === id);
	if (!queue) throw new Refused(404, 11_000, 'The queue could not be found');
	return queue;
}

function workerOf(state: State, name: string): Worker {
	const worker = state.workers.get(name);
	if (!worker) throw new Refused(404, 10_007, 'This Worker does not exist on your account.');
	return worker;
}

function json({ body }: Call): unknown {
	return JSON.parse(new TextDecoder().decode(body));
}

function form({ body, contentType }: Call): Promise<FormData> {
	return new Response(body, { headers: { 'Content-Type': contentType } }).formData();
}

async function textOf(part: unknown): Promise<string> {
	if (part instanceof Blob) return part.text();
	return typeof part === 'string' ? part : '';
}
