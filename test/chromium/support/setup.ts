import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type BuiltWorker, buildWorker } from '../../../testing/built-worker.ts';
import { findChromium, findWholeChromium, NO_CHROMIUM } from '../../../testing/chromium.ts';
import { setup as buildSite } from '../../support/build-pages.ts';

declare module 'vitest' {
	interface ProvidedContext {
		readonly built: BuiltWorker['script'];
		readonly chromium: string;
	}
}

/** Builds the Worker, its pages and the documentation once for all files. Fails at once if there is no browser. */
export function setup(project: TestProject): () => void {
	const chromium = findChromium();
	if (chromium === undefined || findWholeChromium() === undefined) {
		console.error(NO_CHROMIUM);
		process.exit(1);
	}
	project.provide('chromium', chromium);
	buildSite();
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-browser-'));
	project.provide('built', buildWorker('src/index.ts', folder).script);
	return () => rmSync(folder, { recursive: true, force: true });
}
