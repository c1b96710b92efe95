import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildWorker, workerOptions } from '../testing/built-worker.ts';
import type { Plant } from './plants.ts';
import type { Launch } from './server-process.ts';

/** Builds the Worker with the bindings, queues and limits of [env.dev] in wrangler.toml. */
export function buildLaunch(folder: string, plant: Plant | undefined): Launch {
	const dataFolder = path.join(folder, 'data');
	mkdirSync(dataFolder);
	const options = workerOptions('dev');
	return {
		worker: {
			...options,
			...buildWorker('crash/worker.ts', path.join(folder, 'worker')).script,
			bindings: {
				...options.bindings,
				SECRETS: 'crash-test-secret-0001',
				SETUP_TOKEN: 'crash-test-setup-token',
				...(plant === undefined ? {} : { PLANTED: plant }),
			},
		},
		dataFolder,
		logPath: path.join(folder, 'server.log'),
		isNew: true,
	};
}
