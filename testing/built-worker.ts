import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { ROOT } from './root.ts';

/** Builds a Worker as `wrangler deploy` uploads it, or as it is in another environment of wrangler.toml: the path of the script. */
export function buildWorker(entry: string, folder: string, { env = '', minify = false } = {}): string {
	const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
	const how = [`--env=${env}`, '--dry-run', '--outdir', folder, ...(minify ? ['--minify'] : [])];
	execFileSync(process.execPath, [wrangler, 'deploy', entry, ...how], {
		cwd: ROOT,
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, WRANGLER_LOG: 'error' },
	});
	return join(folder, `${basename(entry, '.ts')}.js`);
}

/** What wrangler.toml says of the Worker in that environment, for Miniflare: bindings, queues with their consumers, limits. */
export function workerOptions(env?: string) {
	process.env['WRANGLER_LOG'] = 'error';
	const { modulesRules: _bundled, ...options } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'), env).workerOptions;
	const bindings: Record<string, string> = Object(options['bindings']);
	return { ...options, bindings, compatibilityDate: String(options['compatibilityDate']) };
}
