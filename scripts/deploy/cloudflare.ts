import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { Failure } from '../../testing/failure.ts';

const BASE_URL = 'https://api.cloudflare.com/client/v4';
const TIMEOUT_MS = 30_000;
/** The pauses between retries. Only read calls are retried. */
const PAUSES_MS = [500, 2_000, 8_000];
const MAX_PAUSE_MS = 60_000;
/** The maximum page size of the accounts list. */
const PAGE_SIZE = 50;

const Envelope = z.object({
	success: z.boolean(),
	errors: z.nullish(z.array(z.object({ code: z.number(), message: z.string() }))),
	result: z.unknown(),
	result_info: z.nullish(z.object({ total_count: z.optional(z.number()) })),
});
type Answer = z.infer<typeof Envelope>;

export type Headers = Readonly<Record<string, string>>;

/** A call that the API refused or that failed. */
export class ApiFault extends Error {
	readonly path: string;
	/** 0 if there was no response. */
	readonly status: number;
	readonly code: number;

	constructor(path: string, status: number, { code, message }: { readonly code: number; readonly message: string }) {
		super(message);
		this.path = path;
		this.status = status;
		this.code = code;
	}
}

/** The parts of Cloudflare's API that no wrangler command covers with machine-readable output. */
export class Cloudflare {
	readonly #credentials: Headers;
	readonly #url: string;
	readonly #wait: (ms: number) => Promise<unknown>;

	constructor(credentials: Headers, url: string | undefined, wait: (ms: number) => Promise<unknown> = setTimeout) {
		this.#credentials = credentials;
		this.#url = url ?? BASE_URL;
		this.#wait = wait;
	}

	/** Reads a resource, retrying after transient faults. Undefined if it does not exist. */
	async find<Schema extends z.ZodType>(path: string, schema: Schema, headers: Headers = {}): Promise<z.infer<Schema> | undefined> {
		try {
			return schema.parse((await this.#patiently(() => this.#ask(path, { method: 'GET', headers }))).result);
		} catch (error) {
			if (error instanceof ApiFault && error.status === 404) return undefined;
			throw error;
		}
	}

	async list<Schema extends z.ZodType>(path: string, item: Schema): Promise<z.infer<Schema>[]> {
		const found: z.infer<Schema>[] = [];
		for (let page = 1; ; page += 1) {
			const here = `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=${PAGE_SIZE}`;
			const { result, result_info: all } = await this.#patiently(() => this.#ask(here, { method: 'GET' }));
			const items = z.array(item).parse(result);
			found.push(...items);
			const isWhole = all?.total_count === undefined ? items.length < PAGE_SIZE : found.length >= all.total_count;
			if (isWhole || items.length === 0) return found;
		}
	}

	async query<Schema extends z.ZodType>(account: string, database: string, sql: string, row: Schema): Promise<z.infer<Schema>[]> {
		const path = `/accounts/${account}/d1/database/${database}/query`;
		const { result } = await this.#patiently(() => this.#ask(path, { method: 'POST', body: JSON.stringify({ sql }) }));
		return z.array(z.object({ results: z.array(row) })).parse(result)[0]?.results ?? [];
	}

	/** Creates a resource without retries. If the response is lost, the caller uses `find` to see whether it was created. */
	async create<Schema extends z.ZodType>(path: string, body: object, schema: Schema, headers: Headers = {}): Promise<z.infer<Schema>> {
		return schema.parse((await this.#ask(path, { method: 'POST', body: JSON.stringify(body), headers })).result);
	}

	async #patiently(ask: () => Promise<Answer>): Promise<Answer> {
		for (const pause of PAUSES_MS) {
			try {
				return await ask();
			} catch (error) {
				if (!(error instanceof ApiFault) || !(error.status === 0 || error.status === 429 || error.status >= 500)) throw error;
				await this.#wait(error.status === 429 ? Math.min(pause * 4, MAX_PAUSE_MS) : pause);
			}
		}
		return ask();
	}

	async #ask(path: string, init: { readonly method: string; readonly body?: string; readonly headers?: Headers }): Promise<Answer> {
		const headers = { ...this.#credentials, 'Content-Type': 'application/json', ...init.headers };
		const answer = await fetch(`${this.#url}${path}`, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
			.then(async (response) => ({ status: response.status, text: await response.text() }))
			.catch((error: unknown) => {
				throw new ApiFault(path, 0, { code: 0, message: `no response from Cloudflare (${causeOf(error)})` });
			});
		const { data } = Envelope.safeParse(parsed(answer.text));
		if (data?.success) return data;
		throw new ApiFault(path, answer.status, data?.errors?.[0] ?? { code: 0, message: `Cloudflare answered ${answer.status}` });
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function causeOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

/** Turns the fault into a message that says what to do. */
export function failureOf(doing: string, fault: ApiFault, account: string | undefined): Failure {
	const code = fault.code === 0 ? '' : ` [code ${fault.code}]`;
	return new Failure(`${doing}: ${fault.message}${code}\n${adviceOn(fault, account)}`);
}

/** The API fault in wrangler's output, if any. */
export function faultIn(output: string): ApiFault | undefined {
	const path = /Cloudflare API \((\S+?)\) failed/.exec(output)?.[1];
	const code = /\[code: (\d+)\]/.exec(output)?.[1];
	if (path === undefined && code === undefined) return undefined;
	return new ApiFault(path ?? '', code === '10000' ? 403 : 400, { code: Number(code ?? 0), message: '' });
}

/** The code of any call to R2 on an account that has not enabled it. */
const R2_IS_OFF = 10_042;

export const GOES_ON = 'Finished steps are kept. Run npm run deploy again to continue.';

function adviceOn({ path, status, code }: ApiFault, account = '<account>'): string {
	const dashboard = `https://dash.cloudflare.com/${account}`;
	if (code === 100_129 || code === 11_002)
		return `This account cannot use Queues. The service needs the Workers Paid plan: ${dashboard}/workers/plans\n${GOES_ON}`;
	if (code === R2_IS_OFF)
		return `R2 is not enabled for this account. Enable it at ${dashboard}/r2/overview, which asks for a payment method, or deploy without a bucket: --click-bucket none.\n${GOES_ON}`;
	if (code === 7406) return `The account has reached its plan's limit of databases: ${dashboard}/workers/d1\n${GOES_ON}`;
	if (path.endsWith('/workers/subdomain') && status === 404)
		return `The account has no workers.dev subdomain yet. Choose one at ${dashboard}/workers/onboarding, or use a custom domain: --domain.`;
	if (code === 11_004) return 'Another Worker consumes this queue. Choose another name: --name.';
	if (status === 401 || [1000, 1001, 6003, 9106, 9109].includes(code))
		return 'Cloudflare rejected the credentials. Run npx wrangler login, or check that CLOUDFLARE_API_TOKEN is complete and has not expired.';
	if (status === 403)
		return `The credentials lack a permission. An API token needs ${permissionFor(path)}: https://dash.cloudflare.com/profile/api-tokens\nIf you used wrangler login, your role in the account must allow it.\n${GOES_ON}`;
	if (status === 429) return `Cloudflare's rate limit is reached: wait five minutes. ${GOES_ON}`;
	if (status === 0 || status >= 500) return `The network or Cloudflare has a problem (https://www.cloudflarestatus.com). ${GOES_ON}`;
	return GOES_ON;
}

function permissionFor(path: string): string {
	if (path.includes('/d1/')) return 'Account > D1 > Edit';
	if (path.includes('/r2/')) return 'Account > Workers R2 Storage > Edit';
	if (path.includes('/queues')) return 'Account > Queues > Edit';
	if (/\/domains|^\/zones/.test(path)) return 'Zone > Workers Routes > Edit, for the zone of the domain';
	if (path.startsWith('/accounts?') || path === '/accounts') return 'Account > Account Settings > Read';
	return 'Account > Workers Scripts > Edit';
}
