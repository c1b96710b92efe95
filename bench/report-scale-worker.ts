import worker from '../src/index.ts';
import { openContext } from '../src/context.ts';
import { JOBS } from '../src/jobs/tick.ts';
import { aroundTrips } from '../testing/d1/each-trip.ts';
import { metered } from '../testing/d1/metered.ts';
import { beginSums, keepMore } from '../testing/scale/keep.ts';

// The service with a D1 binding that counts rows, a route that makes a single D1 trip for comparison, and routes for seeding.

export default {
	async fetch(request, env, execution) {
		const { pathname } = new URL(request.url);
		if (pathname === '/select-1') return Response.json(await env.DB.prepare('SELECT 1 AS one').first());
		if (pathname === '/sql') return Response.json((await env.DB.prepare(await request.text()).run()).results);
		if (pathname === '/begin-sums') {
			await beginSums(openContext(env, execution));
			return new Response();
		}
		if (pathname === '/keep-more') return Response.json(await keepMore(openContext(env, execution)));
		if (pathname.startsWith('/api/v1/track/')) return worker.fetch(request, env, execution);
		const cost = metered(env.DB);
		let longestMs = 0;
		const DB = aroundTrips(cost, async (go) => {
			const started = performance.now();
			const result = await go();
			longestMs = Math.max(longestMs, performance.now() - started);
			return result;
		});
		const answer = pathname === '/job' ? work(request, { ...env, DB }, execution) : worker.fetch(request, { ...env, DB }, execution);
		const response = await answer;
		// A file is read while it is being sent, so its cost is known only at the end.
		const body = response.body ? await response.arrayBuffer() : null;
		const { trips, rowsRead } = cost.spent();
		const headers = new Headers(response.headers);
		headers.set('X-Trips', String(trips));
		headers.set('X-Rows-Read', String(rowsRead));
		headers.set('X-Longest-Trip-Ms', String(longestMs));
		return new Response(body, { status: response.status, headers });
	},
} satisfies ExportedHandler<Env>;

/** Runs a job of cron once, at the given time. */
async function work({ url }: Request, env: Env, execution: ExecutionContext): Promise<Response> {
	const { searchParams } = new URL(url);
	const job = JOBS[searchParams.get('name') ?? ''];
	if (!job) return new Response('No such job', { status: 404 });
	return Response.json((await job(openContext(env, execution, Number(searchParams.get('at'))))) ?? null);
}
