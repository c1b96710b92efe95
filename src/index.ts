import { openContext } from './context.ts';
import { app } from './http/app.ts';
import { consume } from './jobs/consume.ts';
import { tick } from './jobs/tick.ts';

export default {
	fetch: app.fetch,
	queue: (batch, env, execution) => consume(openContext(env, execution), batch),
	scheduled: (_event, env, execution) => tick(openContext(env, execution)),
} satisfies ExportedHandler<Env>;
