import { LOOPBACK, startMiniflare } from '../testing/miniflare.ts';
import { childNamed, preciseCpuOf } from './cpu.ts';
import { median } from './measure.ts';
import { builtFor, deployedOptions } from './service.ts';

/** CPU time that the service's start takes beyond that of a bare Hono Worker with the same bindings: medians over pairs, in ms. */
export interface Startup {
	/** Until workerd listens, which is after it has run the module. */
	readonly moduleMs: number;
	/** The first request, for a page that neither Worker has. */
	readonly firstRequestMs: number;
	/** The first request from a person, without a session, which loads the routes for people. */
	readonly firstPersonMs: number;
}

/** Many pairs, because workerd's own start varies and costs ten times the difference being measured. */
const PAIRS = 31;

export async function measureStartup(folder: string): Promise<Startup> {
	const service = builtFor('src/index.ts', folder);
	const noop = builtFor('bench/noop.ts', folder);
	const pairs: { service: Startup; noop: Startup }[] = [];
	// The first pair only warms the file system caches.
	for (let pair = 0; pair <= PAIRS; pair += 1) {
		const started = { noop: await start(noop), service: await start(service) };
		if (pair > 0) pairs.push(started);
	}
	return {
		moduleMs: median(pairs.map((pair) => pair.service.moduleMs - pair.noop.moduleMs)),
		firstRequestMs: median(pairs.map((pair) => pair.service.firstRequestMs - pair.noop.firstRequestMs)),
		firstPersonMs: median(pairs.map((pair) => pair.service.firstPersonMs - pair.noop.firstPersonMs)),
	};
}

async function start(script: ReturnType<typeof builtFor>): Promise<Startup> {
	const miniflare = startMiniflare({ ...deployedOptions(), name: 'app', ...script, unsafeDirectSockets: [LOOPBACK] });
	try {
		const url = await miniflare.unsafeGetDirectURL('app');
		const workerd = childNamed('workerd');
		const moduleMs = preciseCpuOf(workerd) / 1_000;
		await fetch(new URL('/none', url));
		const requestMs = preciseCpuOf(workerd) / 1_000;
		await fetch(new URL('/api/v1/me', url));
		return { moduleMs, firstRequestMs: requestMs - moduleMs, firstPersonMs: preciseCpuOf(workerd) / 1_000 - requestMs };
	} finally {
		await miniflare.dispose();
	}
}
