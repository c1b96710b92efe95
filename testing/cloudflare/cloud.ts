import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Databases } from './databases.ts';
import { type Call, type Cloud, Refused, ROUTES } from './routes.ts';
import { emptyState, type State } from './state.ts';

const PREFIX = '/client/v4';
const TOKEN = 'token-of-the-simulated-cloud';

/** A call is refused, or it is carried out and its response is lost. */
export type Fault = { readonly status: number; readonly code: number; readonly message: string } | 'lost';

/** Simulates Cloudflare's API for one account. The deployed Worker runs on the same port. */
export interface SimulatedCloud {
	/** CLOUDFLARE_API_BASE_URL */
	readonly url: string;
	readonly token: string;
	readonly accounts: { readonly id: string; readonly name: string }[];
	readonly state: State;
	/** The route name of each call, in order: see routes.ts. */
	readonly calls: string[];
	/** The route names of calls, and of SQL, that changed something. */
	readonly changes: string[];
	/** Undefined means no fault. */
	faultAt: ((name: string, call: Call) => Fault | undefined) | undefined;
	/** Calls the first Worker if none has that host. */
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	readonly rows: (sql: string) => Promise<unknown[]>;
	readonly stop: () => Promise<void>;
}

export async function startCloud(port = 0): Promise<SimulatedCloud> {
	const databases = new Databases();
	const cloud: Cloud = { accounts: [{ id: randomBytes(16).toString('hex'), name: 'Acme' }], state: emptyState(), databases };
	const server = createServer((request, response) => void serve(simulated, cloud, { request, response }));
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	const address = server.address();
	const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
	const deployed = (url: string, init: RequestInit) => {
		const host = new URL(url).hostname;
		const service = cloud.state.domains.find(({ hostname }) => hostname === host)?.service;
		const worker = cloud.state.workers.get(service ?? host.split('.')[0] ?? '') ?? [...cloud.state.workers.values()].at(0);
		return worker ? databases.fetch(worker, url, init) : Promise.reject(new Error(`nothing is deployed at ${host}`));
	};
	const simulated: SimulatedCloud = {
		url: `${origin}${PREFIX}`,
		token: TOKEN,
		accounts: cloud.accounts,
		state: cloud.state,
		calls: [],
		changes: [],
		faultAt: undefined,
		fetch: deployed,
		rows: async (sql) => {
			const [first] = cloud.state.databases;
			const answer = first ? await databases.query(first.uuid, sql) : [];
			return Object(answer[0])['results'];
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await databases.remove();
		},
	};
	return simulated;
}

interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

async function serve(simulated: SimulatedCloud, cloud: Cloud, { request, response }: Exchange): Promise<void> {
	const body = await bodyOf(request);
	const { pathname, searchParams: query, href } = new URL(request.url ?? '/', simulated.url);
	const { method = 'GET', headers } = request;
	if (!pathname.startsWith(PREFIX)) {
		const own = new Headers(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
		const text = method === 'GET' || method === 'HEAD' ? {} : { body: new TextDecoder().decode(body) };
		const answer = await simulated.fetch(href, { method, headers: own, ...text });
		response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' }).end(await answer.text());
		return;
	}
	const jurisdiction = [headers['cf-r2-jurisdiction']].flat()[0];
	const call: Call = { method, path: pathname.slice(PREFIX.length), query, body, contentType: headers['content-type'] ?? '', jurisdiction };
	const [status, answer] = await answerTo(simulated, cloud, call, headers.authorization ?? '');
	if (answer === 'lost') response.destroy();
	else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}

async function answerTo(simulated: SimulatedCloud, cloud: Cloud, call: Call, authorization: string): Promise<[number, unknown]> {
	const isSession = call.path.endsWith('/workers/assets/upload');
	if (authorization !== `Bearer ${TOKEN}` && !isSession) return refusal(401, 1000, 'Invalid API Token');
	const route = ROUTES.find(({ method, path }) => method === call.method && path.test(call.path));
	if (!route) {
		simulated.calls.push(`unknown: ${call.method} ${call.path}`);
		return refusal(404, 7003, `No route for ${call.method} ${call.path}`);
	}
	simulated.calls.push(route.name);
	const fault = simulated.faultAt?.(route.name, call);
	if (fault !== undefined && fault !== 'lost') return refusal(fault.status, fault.code, fault.message);
	if (isChange(route.name, call)) simulated.changes.push(route.name);
	try {
		const [, name = '', id = ''] = route.path.exec(call.path) ?? [];
		const whole = await route.answer(cloud, call, name, id);
		const answer = Array.isArray(whole) ? pageOf(whole, call.query) : { result: whole ?? {} };
		return fault === 'lost' ? [0, 'lost'] : [200, { success: true, errors: [], messages: [], ...answer }];
	} catch (error) {
		if (error instanceof Refused) return refusal(error.status, error.code, error.message);
		return refusal(400, 7500, error instanceof Error ? error.message : String(error));
	}
}

/** Pages have at most 50 items, as in Cloudflare's list of accounts. */
function pageOf(all: readonly unknown[], query: URLSearchParams) {
	const [page, size] = [Number(query.get('page') ?? 1), Math.min(Number(query.get('per_page') ?? 20), 50)];
	const result = all.slice((page - 1) * size, page * size);
	return { result, result_info: { page, per_page: size, count: result.length, total_count: all.length } };
}

function refusal(status: number, code: number, message: string): [number, unknown] {
	return [status, { success: false, errors: [{ code, message }], messages: [], result: null }];
}

function isChange(name: string, { method, body }: Call): boolean {
	if (name === 'd1 query') return !/^\{"sql":"\s*(SELECT|PRAGMA)/i.test(new TextDecoder().decode(body.subarray(0, 40)));
	return method !== 'GET';
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
	return new Uint8Array(Buffer.concat(chunks));
}
