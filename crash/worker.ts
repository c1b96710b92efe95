import { openContext } from '../src/context.ts';
import worker from '../src/index.ts';
import { consume } from '../src/jobs/consume.ts';
import { tick } from '../src/jobs/tick.ts';
import { isPlant, plantIn } from './plants.ts';
import { earlyBucket, RETIRE_CRON, retireSlowly, slowBucket } from './retirement.ts';

/** The product's Worker, with a cron clock that follows the cron run's `scheduledTime`. `PLANTED` names a fault that the test must find. */
export default {
	fetch: (request, env, execution) => worker.fetch(request, planted(env, execution), execution),
	queue: (batch, env, execution) => consume(openContext(planted(env, execution), execution), batch),
	async scheduled({ cron, scheduledTime }, env, execution) {
		if (cron === RETIRE_CRON) await retireSlowly(openContext(retiring(env, execution), execution, scheduledTime));
		else await tick(openContext(planted(env, execution), execution, scheduledTime));
	},
} satisfies ExportedHandler<CrashEnv>;

interface CrashEnv extends Env {
	readonly PLANTED?: string;
}

function planted(env: CrashEnv, execution: ExecutionContext): Env {
	const { PLANTED: plant } = env;
	return isPlant(plant) ? { ...env, DB: plantIn(env.DB, plant, execution) } : env;
}

function retiring(env: CrashEnv, execution: ExecutionContext): Env {
	const { CLICK_FILES: bucket, PLANTED: plant } = env;
	const CLICK_FILES = plant === 'delete-before-file' ? earlyBucket(bucket, execution) : slowBucket(bucket);
	return { ...planted(env, execution), CLICK_FILES };
}
