import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuiltWorker, buildWorker } from '../testing/built-worker.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { ROOT } from '../testing/root.ts';
import { runWrangler } from '../testing/wrangler.ts';

// Part of npm run build: makes dist/worker, which `npm run deploy` uploads, and holds it to its size.

const UPLOADED = join(ROOT, 'dist/upload');

/** What runs at every cold start, before the first click is answered. */
const START_LIMIT_BYTES = 120 * 1024;
/** With what runs once it is first asked for: every cold start looks that over too, so no heavy package belongs there either. */
const WHOLE_LIMIT_BYTES = 450 * 1024;

await runScript(async () => {
	const { outputs } = buildWorker('src/index.ts', join(ROOT, 'dist/worker'), { minify: true });
	const modules = Object.keys(outputs).filter((path) => path.endsWith('.mjs'));
	await requireUpload(modules);
	const start = modules.filter((path) => outputs[path]?.entryPoint === 'src/index.ts');
	console.log('\nBundle, bytes gzip:');
	const isSmall = [
		isWithin('at the start', withImports(start, outputs), START_LIMIT_BYTES),
		isWithin('all of it', modules, WHOLE_LIMIT_BYTES),
	];
	return isSmall.includes(false) ? 1 : 0;
});

/** wrangler takes for modules what wrangler.toml says ([[rules]]), and leaves out the others without a word. */
async function requireUpload(modules: readonly string[]): Promise<void> {
	rmSync(UPLOADED, { recursive: true, force: true });
	const how = ['--env=', '--no-bundle', '--dry-run', '--outdir', UPLOADED];
	const { code } = await runWrangler(['deploy', 'dist/worker/index.mjs', ...how], 'show');
	if (code !== 0) throw new Failure('wrangler would not deploy dist/worker.', code);
	const missing = modules.filter((path) => !existsSync(join(UPLOADED, basename(path))));
	if (missing.length > 0) throw new Failure(`wrangler would not upload ${missing.join(', ')}`);
}

/** With what they import, and so on: all but what waits to be asked for. */
function withImports(modules: readonly string[], outputs: BuiltWorker['outputs']): readonly string[] {
	const imports = modules
		.flatMap((path) => outputs[path]?.imports ?? [])
		.filter(({ kind, external }) => kind === 'import-statement' && !external);
	const all = [...new Set([...modules, ...imports.map(({ path }) => path)])];
	return all.length === modules.length ? all : withImports(all, outputs);
}

function isWithin(what: string, modules: readonly string[], limit: number): boolean {
	const bytes = modules.reduce((sum, path) => sum + gzipSync(readFileSync(join(ROOT, path))).byteLength, 0);
	console.log(`${what} ${bytes}, at most ${limit}`);
	return bytes <= limit;
}
