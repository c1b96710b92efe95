import { openContext } from './context.ts';
import { app } from './http/app.ts';

export default {
	fetch: app.fetch,
	// Modules of their own too: a request needs none of it.
	async queue(batch, env, execution) {
		const { consume } = await import('./jobs/consume.ts');
		await consume(openContext(env, execution), batch);
	},
	async scheduled(_event, env, execution) {
		const { tick } = await import('./jobs/tick.ts');
		await tick(openContext(env, execution));
	},
} satisfies ExportedHandler<Env>;
