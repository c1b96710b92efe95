import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuiltWorker, buildWorker } from '../testing/built-worker.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { ROOT } from '../testing/root.ts';
import { runWrangler } from '../testing/wrangler.ts';

// Part of npm run build: builds dist/worker, which `npm run deploy` uploads, and checks its size.

const UPLOADED = join(ROOT, 'dist/upload');

/** The modules that every cold start runs before it can respond. */
const START_LIMIT_BYTES = 120 * 1024;
/** All modules, including lazy ones. Every cold start parses those too, so they need a limit as well. */
const WHOLE_LIMIT_BYTES = 450 * 1024;

await runScript(async () => {
	const { outputs } = buildWorker('src/index.ts', join(ROOT, 'dist/worker'), { minify: true });
	const modules = Object.keys(outputs).filter((path) => path.endsWith('.mjs'));
	await requireUpload(modules);
	const start = modules.filter((path) => outputs[path]?.entryPoint === 'src/index.ts');
	console.log('\nBundle, bytes gzip:');
	const isSmall = [isWithin('at start', withImports(start, outputs), START_LIMIT_BYTES), isWithin('in all', modules, WHOLE_LIMIT_BYTES)];
	return isSmall.includes(false) ? 1 : 0;
});

/** wrangler silently omits modules that match none of the [[rules]] in wrangler.toml. */
async function requireUpload(modules: readonly string[]): Promise<void> {
	rmSync(UPLOADED, { recursive: true, force: true });
	const how = ['--env=', '--no-bundle', '--dry-run', '--outdir', UPLOADED];
	const { code } = await runWrangler(['deploy', 'dist/worker/index.mjs', ...how], 'show');
	if (code !== 0) throw new Failure('The dry run of wrangler deploy failed for dist/worker.', code);
	const missing = modules.filter((path) => !existsSync(join(UPLOADED, basename(path))));
	if (missing.length > 0) throw new Failure(`wrangler would leave out ${missing.join(', ')}`);
}

/** The modules with all their static imports, but without dynamic imports. */
function withImports(modules: readonly string[], outputs: BuiltWorker['outputs']): readonly string[] {
	const imports = modules
		.flatMap((path) => outputs[path]?.imports ?? [])
		.filter(({ kind, external }) => kind === 'import-statement' && !external);
	const all = [...new Set([...modules, ...imports.map(({ path }) => path)])];
	return all.length === modules.length ? all : withImports(all, outputs);
}

function isWithin(what: string, modules: readonly string[], limit: number): boolean {
	const bytes = modules.reduce((sum, path) => sum + gzipSync(readFileSync(join(ROOT, path))).byteLength, 0);
	console.log(`${what} ${bytes}, limit ${limit}`);
	return bytes <= limit;
}
