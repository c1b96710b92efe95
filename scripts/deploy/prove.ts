import { newToken } from '../../src/secrets.ts';
import * as z from 'zod';
import { Failure } from '../../testing/failure.ts';
import type { Surroundings } from './surroundings.ts';

// Checks the deployed service from outside, as its users see it.

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 3_000;
/** A new hostname or certificate can take a few minutes to work everywhere. */
const TRIES = 60;
const PATIENCE_MS = 300_000;

const Refused = z.object({ error: z.string() });
const Chain = z.object({
	data: z.object({ steps: z.array(z.object({ step: z.string(), ok: z.boolean(), error: z.optional(z.string()) })) }),
});

type Fetch = Surroundings['fetch'];

interface Check {
	readonly title: string;
	/** Returns the problem, if any. Throws if waiting cannot help. */
	readonly complaint: (url: string, fetch: Fetch) => Promise<string | undefined>;
}

export function checksOf(programKey: string | undefined): readonly Check[] {
	return [HEALTH, FRONT_PAGE, SCRIPT, NO_KEY, UNKNOWN_KEY, ...(programKey === undefined ? [] : [testChain(programKey)])];
}

/** Repeats each check until it passes, for at most five minutes in total. */
export async function prove(
	{ url, options }: { readonly url: string; readonly options: { readonly file: string } },
	checks: readonly Check[],
	{ say, wait, fetch }: Pick<Surroundings, 'say' | 'wait' | 'fetch'>,
): Promise<void> {
	const end = Date.now() + PATIENCE_MS;
	for (const { title, complaint } of checks) {
		let wrong: string | undefined;
		for (let tried = 0; tried < TRIES && (tried === 0 || Date.now() < end); tried += 1) {
			wrong = await complaint(url, fetch).catch(passing);
			if (wrong === undefined) break;
			if (tried === 0) say(`  ... ${wrong}; retrying for up to five minutes`);
			await wait(PAUSE_MS);
		}
		if (wrong !== undefined)
			throw new Failure(
				`The Worker is deployed, but a check of ${url} failed: ${title}: ${wrong}\nRead the log: npx wrangler tail --config ${options.file}. A new domain may take longer: run npm run deploy again.`,
			);
		say(`  ok  ${title}`);
	}
}

function passing(error: unknown): string {
	if (error instanceof Failure) throw error;
	return causeOf(error);
}

/** The service reports healthy after the first cron run, within a minute of the upload. */
const HEALTH: Check = {
	title: 'the health check passes',
	complaint: async (url, fetch) => {
		const { status, text } = await get(fetch, `${url}/health`);
		return status === 200 ? undefined : `/health responded with ${status}: ${text.slice(0, 300)}`;
	},
};

const FRONT_PAGE: Check = {
	title: 'the dashboard opens',
	complaint: async (url, fetch) => {
		const { status, type } = await get(fetch, `${url}/`);
		return status === 200 && type.startsWith('text/html') ? undefined : `the front page responded with ${status}, ${type}`;
	},
};

const SCRIPT: Check = {
	title: 'the browser script is served',
	complaint: async (url, fetch) => {
		const { status, type } = await get(fetch, `${url}/tracker.js`);
		return status === 200 && type.includes('javascript') ? undefined : `/tracker.js responded with ${status}, ${type}`;
	},
};

const NO_KEY: Check = {
	title: 'a sale without a key is refused',
	complaint: (url, fetch) => refusedSale(url, fetch, {}),
};

/** Shows that the Worker reaches its database, because it has to look up the key there. */
const UNKNOWN_KEY: Check = {
	title: 'a sale with an unknown key is refused',
	complaint: (url, fetch) => refusedSale(url, fetch, { Authorization: `Bearer ${newToken('prg')}` }),
};

const TEST_CHAIN = 'the test chain of the program';

/** Each run records test events, so a failure is final and not retried. */
function testChain(programKey: string): Check {
	return {
		title: `${TEST_CHAIN}: click, lead, sale, refund`,
		complaint: async (url, fetch) => {
			const { status, text } = await post(
				fetch,
				`${url}/api/v1/cli/test-event`,
				{ Authorization: `Bearer ${programKey}` },
				{ type: 'chain' },
			);
			if (status === 401)
				throw new Failure(
					`The Worker is deployed, but no program at ${url} has the key of --program-key. Find the key in the dashboard under Settings, Keys.`,
				);
			if (status !== 200) return `the response was ${status}: ${text.slice(0, 300)}`;
			const failed = Chain.parse(JSON.parse(text)).data.steps.filter(({ ok }) => !ok);
			if (failed.length === 0) return undefined;
			throw new Failure(
				`The Worker is deployed, but ${TEST_CHAIN} failed:\n${failed.map(({ step, error }) => `  ${step}: ${error}`).join('\n')}`,
			);
		},
	};
}

async function refusedSale(url: string, fetch: Fetch, headers: Record<string, string>): Promise<string | undefined> {
	const { status, text } = await post(fetch, `${url}/api/v1/track/sale`, headers, { transaction_id: 'of-the-deployment', amount_cents: 1 });
	if (status !== 401) return `the response was ${status}: ${text.slice(0, 300)}`;
	return Refused.safeParse(JSON.parse(text)).success ? undefined : `the response was ${text.slice(0, 300)}`;
}

type Headers = Readonly<Record<string, string>>;

function get(fetch: Fetch, url: string) {
	return answerOf(fetch, url, { method: 'GET' });
}

function post(fetch: Fetch, url: string, headers: Headers, body: object) {
	return answerOf(fetch, url, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

async function answerOf(fetch: Fetch, url: string, init: RequestInit): Promise<{ status: number; type: string; text: string }> {
	const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
	return { status: response.status, type: response.headers.get('Content-Type') ?? '', text: await response.text() };
}

function causeOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
