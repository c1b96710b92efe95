import { retireClicks } from '../src/clicks/retire-clicks.ts';
import { openContext } from '../src/context.ts';
import worker from '../src/index.ts';
import { rollUpDay } from '../src/reporting/roll-up-day.ts';
import { aroundTrips } from '../testing/d1/each-trip.ts';
import { metered } from '../testing/d1/metered.ts';
import { PROGRAM_ID } from '../testing/scale/size.ts';

// The service, with routes that run SQL, retire one slice of clicks, and compare a day with its raw rows.

export default {
	async fetch(request, env, execution) {
		const { pathname, searchParams } = new URL(request.url);
		switch (pathname) {
			case '/sql':
				return Response.json((await env.DB.prepare(await request.text()).run()).results);
			case '/migrate': {
				const statements = await request.json<string[]>();
				await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
				return Response.json({});
			}
			case '/retire': {
				let longestTripMs = 0;
				const timed = aroundTrips(env.DB, async (go) => {
					const started = Date.now();
					const answer = await go();
					longestTripMs = Math.max(longestTripMs, Date.now() - started);
					return answer;
				});
				const DB = metered(timed);
				const clicks = await retireClicks(openContext({ ...env, DB }, execution), { programs: 1, slices: 1 });
				return Response.json({ clicks, longestTripMs, ...DB.spent() });
			}
			case '/repair':
				return Response.json(
					await rollUpDay(openContext(env, execution), { id: PROGRAM_ID, timeZone: 'UTC' }, searchParams.get('day') ?? ''),
				);
			default:
				return worker.fetch(request, env, execution);
		}
	},
} satisfies ExportedHandler<Env>;
