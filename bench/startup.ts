import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { childNamed, cpuOf } from './cpu.ts';
import { median } from './measure.ts';
import { bundle, deployedOptions, SHARED_OPTIONS } from './service.ts';

export interface Startup {
	/** From the start of workerd to its first answer: of the service, and of a bare Hono Worker with the same bindings. */
	readonly serviceMs: number;
	readonly noopMs: number;
	/** Medians of the differences, taken in pairs. */
	readonly differenceMs: number;
	readonly cpuDifferenceMs: number;
}

const PAIRS = 7;

/** What the service's module costs at its start, beside an empty one. */
export async function measureStartup(folder: string): Promise<Startup> {
	const service = readFileSync(bundle('src/index.ts', folder, 'index'), 'utf8');
	const noop = readFileSync(bundle('bench/noop.ts', folder, 'noop'), 'utf8');
	const pairs: { service: Start; noop: Start }[] = [];
	// The first pair fills the caches of the file system.
	for (let pair = 0; pair <= PAIRS; pair += 1) {
		const started = { noop: await start(noop), service: await start(service) };
		if (pair > 0) pairs.push(started);
	}
	return {
		serviceMs: median(pairs.map((pair) => pair.service.ms)),
		noopMs: median(pairs.map((pair) => pair.noop.ms)),
		differenceMs: median(pairs.map((pair) => pair.service.ms - pair.noop.ms)),
		cpuDifferenceMs: median(pairs.map((pair) => pair.service.cpuMs - pair.noop.cpuMs)),
	};
}

interface Start {
	readonly ms: number;
	readonly cpuMs: number;
}

async function start(script: string): Promise<Start> {
	const begun = performance.now();
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			...SHARED_OPTIONS,
			...deployedOptions(),
			name: 'app',
			modules: true,
			script,
			unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
		}),
	);
	try {
		// Either has no such page: all that is asked is that the module runs.
		await fetch(new URL('/none', await miniflare.unsafeGetDirectURL('app')));
		return { ms: performance.now() - begun, cpuMs: cpuOf(childNamed('workerd')) / 1_000 };
	} finally {
		await miniflare.dispose();
	}
}
