import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Failure, runScript } from '../testing/failure.ts';
import { ROOT } from '../testing/root.ts';

// Part of npm run build: what is uploaded stays small, because its size is paid at every cold start.

// What the whole product may weigh, its pages left out: the start of an isolate must not take longer for it than a request does.
const LIMIT_BYTES = 150 * 1024;

await runScript(async () => {
	const files = readdirSync(join(ROOT, 'dist')).filter((name) => name.endsWith('.js') || name.endsWith('.wasm'));
	if (files.length === 0) throw new Failure('There is no bundle in dist/.');
	const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(join(ROOT, 'dist', name))).byteLength, 0);
	console.log(`Bundle: ${bytes} bytes gzip, at most ${LIMIT_BYTES} allowed`);
	return bytes > LIMIT_BYTES ? 1 : 0;
});
