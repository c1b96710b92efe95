import { join } from 'node:path';
import { buildWorker } from '../../../testing/built-worker.ts';
import { ROOT } from '../../../testing/root.ts';
import { setup as buildPages } from '../../support/build-pages.ts';

export function setup(): void {
	buildPages();
	buildWorker('src/index.ts', join(ROOT, 'dist/worker'), { minify: true });
}
