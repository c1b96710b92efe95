import worker from '../src/index.ts';
import { metered } from '../testing/d1/metered.ts';

// The service behind a D1 binding that says what was read, with a bare trip to compare with and a door for seeding.

export default {
	async fetch(request, env, execution) {
		const { pathname } = new URL(request.url);
		if (pathname === '/select-1') return Response.json(await env.DB.prepare('SELECT 1 AS one').first());
		if (pathname === '/sql') return Response.json((await env.DB.prepare(await request.text()).run()).results);
		const DB = metered(env.DB);
		const response = await worker.fetch(request, { ...env, DB: pathname.startsWith('/api/tracking/performance') ? DB : env.DB }, execution);
		const { trips, rowsRead } = DB.spent();
		return new Response(response.body, {
			status: response.status,
			headers: { 'X-Trips': String(trips), 'X-Rows-Read': String(rowsRead) },
		});
	},
} satisfies ExportedHandler<Env>;
