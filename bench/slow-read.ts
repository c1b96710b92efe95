import { startMiniflare } from '../testing/miniflare.ts';

// Measures how long a write waits for a slow read: `node bench/slow-read.ts`. The read runs on the same D1 as the write, and then on
// another one, as it would on a replica (decision 68).

const ROUNDS = 5;

const WORKER = `
	const SLOW = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000000) SELECT sum(i % 7) AS total FROM n';
	export default {
		async fetch(request, { DB }) {
			const { pathname } = new URL(request.url);
			if (pathname === '/read') await DB.prepare(SLOW).all();
			if (pathname === '/create') await DB.prepare('CREATE TABLE sales (id INTEGER PRIMARY KEY, amount INTEGER)').run();
			if (pathname === '/write') await DB.batch([DB.prepare('SELECT max(id) FROM sales'), DB.prepare('INSERT INTO sales (amount) VALUES (1)')]);
			return Response.json({});
		},
	};`;

// Each database gets its own process, because all databases of one workerd share a thread.
const [primary, replica] = [open(), open()];
const urls = { primary: await primary.ready, replica: await replica.ready };
await took('primary', '/create');
console.log(`no read              write ${row(await rounds(() => took('primary', '/write')))} ms`);
for (const copy of ['primary', 'replica'] as const) {
	const reads: number[] = [];
	const writes = await rounds(async () => {
		const read = took(copy, '/read');
		await new Promise((resolve) => setTimeout(resolve, 100));
		const write = await took('primary', '/write');
		reads.push(await read);
		return write;
	});
	console.log(`read on the ${copy}  write ${row(writes)} ms; the read ${row(reads)} ms`);
}
await Promise.all([primary.dispose(), replica.dispose()]);

function open() {
	return startMiniflare({ name: 'slow-read', modules: true, script: WORKER, compatibilityDate: '2026-10-23', d1Databases: { DB: 'd1' } });
}

async function took(copy: keyof typeof urls, path: string): Promise<number> {
	const started = performance.now();
	await (await fetch(new URL(path, urls[copy]))).text();
	return performance.now() - started;
}

async function rounds(measure: () => Promise<number>): Promise<number[]> {
	const figures: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) figures.push(await measure());
	return figures;
}

/** The median and the maximum. */
function row(figures: readonly number[]): string {
	const sorted = figures.toSorted((a, b) => a - b);
	return `${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(0)} (at most ${(sorted.at(-1) ?? 0).toFixed(0)})`;
}
