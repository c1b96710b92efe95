import { openContext } from '../src/context.ts';
import worker from '../src/index.ts';
import { consume } from '../src/jobs/consume.ts';
import { tick } from '../src/jobs/tick.ts';
import { isPlant, plantIn } from './plants.ts';

/** The product's Worker, with a cron clock that follows the cron run's `scheduledTime`. `PLANTED` names a fault that the test must find. */
export default {
	fetch: (request, env, execution) => worker.fetch(request, planted(env, execution), execution),
	queue: (batch, env, execution) => consume(openContext(planted(env, execution), execution), batch),
	scheduled: (event, env, execution) => tick(openContext(planted(env, execution), execution, event.scheduledTime)),
} satisfies ExportedHandler<CrashEnv>;

interface CrashEnv extends Env {
	readonly PLANTED?: string;
}

function planted(env: CrashEnv, execution: ExecutionContext): Env {
	const { PLANTED: plant } = env;
	return isPlant(plant) ? { ...env, DB: plantIn(env.DB, plant, execution) } : env;
}
