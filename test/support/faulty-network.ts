import { exports } from 'cloudflare:workers';
import { Tracker, type TrackerOptions } from '../../src/sdk/index.ts';
import type { Fetch } from '../../src/sdk/platform.ts';
import { whileCommissionsFail } from './failing-commissions.ts';
import type { Funnel } from './funnel.ts';

// Connects the SDK and the Worker, with every possible network fault in between.

/** What happens to one attempt. */
export const FATES = [
	'works',
	'never arrives',
	'loses its answer',
	'never answers',
	'arrives late',
	'arrives twice',
	'answer breaks off',
	'bad gateway',
	'bad gateway after it worked',
	'too many requests',
	'commission fails',
] as const;
export type Fate = (typeof FATES)[number];

const LOST = 'Network connection lost';

export interface FaultyNetwork {
	readonly fetch: Fetch;
	/** Resolves when no request is in progress, not even one whose sender has given up. */
	readonly settle: () => Promise<void>;
}

/** Each attempt gets the next fate; attempts beyond the list succeed. */
export function faultyNetwork(funnel: Pick<Funnel, 'partnerProgramId'>, fates: readonly Fate[]): FaultyNetwork {
	const underway: Promise<unknown>[] = [];
	const late: Request[] = [];
	let tries = 0;
	const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
		// Aborting does not stop a request that has already been sent.
		const { signal: _, ...rest } = init ?? {};
		const request = new Request(input, rest);
		const fate = fates[tries] ?? 'works';
		tries += 1;
		const delivered = fate === 'arrives late' ? late.push(request) : suffer(fate, request, funnel);
		if (typeof delivered === 'number') throw new TypeError(LOST);
		underway.push(delivered);
		return fate === 'never answers' ? new Promise<never>(() => undefined) : delivered;
	};
	const settle = async () => {
		await Promise.allSettled(underway);
		for (const request of late) await arrive(request);
	};
	return { fetch, settle };
}

async function suffer(fate: Exclude<Fate, 'arrives late'>, request: Request, funnel: Pick<Funnel, 'partnerProgramId'>): Promise<Response> {
	switch (fate) {
		case 'works':
		case 'never answers':
			return arrive(request);
		case 'never arrives':
			throw new TypeError(LOST);
		case 'loses its answer':
			await arrive(request);
			throw new TypeError(LOST);
		case 'arrives twice': {
			const [, second] = await Promise.all([arrive(request.clone()), arrive(request)]);
			return second;
		}
		case 'answer breaks off':
			return new Response((await (await arrive(request)).text()).slice(0, -9), { status: 200 });
		case 'bad gateway':
			return new Response('Bad gateway', { status: 502 });
		case 'bad gateway after it worked':
			await arrive(request);
			return new Response('Bad gateway', { status: 502 });
		case 'too many requests':
			return Response.json({ error: 'Too many requests.' }, { status: 429, headers: { 'Retry-After': '0' } });
		case 'commission fails':
			return oneAtATime(() => whileCommissionsFail(funnel, () => arrive(request)));
	}
}

/** Returns the whole response. */
async function arrive(request: Request): Promise<Response> {
	const response = await exports.default.fetch(request);
	return new Response(await response.text(), { status: response.status, headers: response.headers });
}

let last: Promise<unknown> = Promise.resolve();

/** Only one caller at a time can make the partner's commissions fail. */
function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
	const result = last.then(work);
	last = result.catch(() => undefined);
	return result;
}

/** A tracker for the funnel's program, on a perfect network by default. */
export function aTracker(funnel: Pick<Funnel, 'apiToken'>, options: Partial<TrackerOptions> = {}): Tracker {
	return new Tracker({
		baseUrl: 'http://service.test',
		apiKey: funnel.apiToken,
		retryDelayMs: 0,
		fetch: (input, init) => exports.default.fetch(new Request(input, init)),
		...options,
	});
}
