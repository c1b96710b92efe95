import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { ROOT } from './root.ts';

/** A Worker as it is uploaded. */
export interface BuiltWorker {
	/** For Miniflare: the script, then the modules beside it. */
	readonly script: { readonly modulesRoot: string; readonly modules: { readonly type: 'ESModule'; readonly path: string }[] };
	/** What esbuild says of the modules, by their paths from the root of the project. */
	readonly outputs: Metafile['outputs'];
}

/**
 * Builds a Worker as it is deployed. wrangler's own bundler makes one module of it: whatever `import()` names would be a function in
 * it that V8 reads twice, and the start would win nothing. Here that is a module of its own. The other options are wrangler's.
 */
export function buildWorker(entry: string, folder: string, { minify = false } = {}): BuiltWorker {
	rmSync(folder, { recursive: true, force: true });
	const { metafile } = buildSync({
		absWorkingDir: ROOT,
		entryPoints: [entry],
		outdir: folder,
		bundle: true,
		splitting: true,
		format: 'esm',
		outExtension: { '.js': '.mjs' },
		target: 'es2024',
		supported: { using: true },
		conditions: ['workerd', 'worker', 'browser'],
		external: ['node:*', 'cloudflare:*'],
		define: { 'process.env.NODE_ENV': '"production"' },
		minify,
		sourcemap: true,
		sourcesContent: false,
		metafile: true,
		logLevel: 'warning',
	});
	const { outputs } = metafile;
	const paths = Object.keys(outputs).filter((path) => path.endsWith('.mjs'));
	const inOrder = [
		...paths.filter((path) => outputs[path]?.entryPoint === entry),
		...paths.filter((path) => outputs[path]?.entryPoint !== entry),
	];
	const modules = inOrder.map((path) => ({ type: 'ESModule', path: join(ROOT, path) }) as const);
	return { script: { modulesRoot: folder, modules }, outputs };
}

/** What wrangler.toml says of the Worker in that environment, for Miniflare: bindings, queues with their consumers, limits. */
export function workerOptions(env?: string) {
	process.env['WRANGLER_LOG'] = 'error';
	const { modulesRules: _bundled, ...options } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'), env).workerOptions;
	const bindings: Record<string, string> = Object(options['bindings']);
	return { ...options, bindings, compatibilityDate: String(options['compatibilityDate']) };
}
