import worker from '../src/index.ts';
import { openContext } from '../src/context.ts';
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
		if (request.method !== 'GET') return worker.fetch(request, env, execution);
		const DB = metered(env.DB);
		const response = await worker.fetch(request, { ...env, DB }, execution);
		// A file is read while it is being sent, so its cost is known only at the end.
		const body = response.body ? await response.arrayBuffer() : null;
		const { trips, rowsRead } = DB.spent();
		const headers = new Headers(response.headers);
		headers.set('X-Trips', String(trips));
		headers.set('X-Rows-Read', String(rowsRead));
		return new Response(body, { status: response.status, headers });
	},
} satisfies ExportedHandler<Env>;
