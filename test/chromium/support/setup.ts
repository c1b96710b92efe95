import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildWorker } from '../../../testing/built-worker.ts';
import { findChromium, NO_CHROMIUM } from '../../../testing/chromium.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The folder of the built Worker. */
		readonly built: string;
		/** The browser's binary. */
		readonly chromium: string;
	}
}

/** Builds the Worker once for all files. Ends the run at once, and not with 0, where there is no browser to test with. */
export function setup(project: TestProject): () => void {
	const chromium = findChromium();
	if (chromium === undefined) {
		console.error(NO_CHROMIUM);
		process.exit(1);
	}
	project.provide('chromium', chromium);
	const built = mkdtempSync(join(tmpdir(), 'affiliate-browser-'));
	buildWorker('src/index.ts', built, { env: 'dev' });
	project.provide('built', built);
	return () => rmSync(built, { recursive: true, force: true });
}
