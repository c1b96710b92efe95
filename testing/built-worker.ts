import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { ROOT } from './root.ts';

export interface BuiltWorker {
	/** For Miniflare: the entry module first, then the others. */
	readonly script: { readonly modulesRoot: string; readonly modules: { readonly type: 'ESModule'; readonly path: string }[] };
	/** esbuild's metadata of the modules. Paths are relative to the project's root. */
	readonly outputs: Metafile['outputs'];
}

/**
 * Builds a Worker for deployment. wrangler's bundler makes one module, so `import()` would not speed up the start. This build splits off
 * dynamic imports; its other options are wrangler's.
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

/** Bindings, queues with their consumers, and limits for Miniflare. */
export function workerOptions(env?: string) {
	process.env['WRANGLER_LOG'] = 'error';
	const { modulesRules: _bundled, ...options } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'), env).workerOptions;
	const bindings: Record<string, string> = Object(options['bindings']);
	return { ...options, bindings, compatibilityDate: String(options['compatibilityDate']) };
}
