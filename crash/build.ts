import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import type { Plant } from './plants.ts';
import type { Launch } from './server-process.ts';

const root = path.join(import.meta.dirname, '..');

/** Builds the Worker once and reads its bindings, queues and limits from wrangler.toml, [env.dev]. */
export function buildLaunch(folder: string, plant: Plant | undefined): Launch {
	const built = path.join(folder, 'worker');
	const dataFolder = path.join(folder, 'data');
	mkdirSync(dataFolder);
	const wrangler = path.join(root, 'node_modules/wrangler/bin/wrangler.js');
	execFileSync(process.execPath, [wrangler, 'deploy', 'crash/worker.ts', '--dry-run', '--env', 'dev', '--outdir', built], {
		cwd: root,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	process.env['WRANGLER_LOG'] = 'error';
	const {
		workerOptions: { modulesRules: _bundled, ...workerOptions },
	} = unstable_getMiniflareWorkerOptions(path.join(root, 'wrangler.toml'), 'dev');
	return {
		worker: {
			...workerOptions,
			rootPath: built,
			bindings: {
				...(workerOptions['bindings'] as Record<string, string>),
				SECRETS: 'crash-test-secret-0001',
				SETUP_TOKEN: 'crash-test-setup-token',
				...(plant === undefined ? {} : { PLANTED: plant }),
			},
		},
		scriptPath: 'worker.js',
		dataFolder,
		logPath: path.join(folder, 'server.log'),
		migrations: readdirSync(path.join(root, 'migrations'))
			.filter((name) => name.endsWith('.sql'))
			.toSorted()
			.map((name) => path.join(root, 'migrations', name)),
	};
}
