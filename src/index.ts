import { openContext } from './context.ts';
import { app } from './http/app.ts';
import { onceImported } from './once.ts';

// Loaded on demand, because requests need neither.
const forQueue = onceImported(() => import('./jobs/consume.ts'));
const forCron = onceImported(() => import('./jobs/tick.ts'));

export default {
	fetch: app.fetch,
	async queue(batch, env, execution) {
		const { consume } = await forQueue();
		await consume(openContext(env, execution), batch);
	},
	async scheduled(_event, env, execution) {
		const { tick } = await forCron();
		await tick(openContext(env, execution));
	},
} satisfies ExportedHandler<Env>;
