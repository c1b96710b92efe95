import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type BuiltWorker, buildWorker } from '../../../testing/built-worker.ts';
import { writeSite } from '../../../scripts/docs/write-site.ts';
import { findChromium, NO_CHROMIUM } from '../../../testing/chromium.ts';
import { ROOT } from '../../../testing/root.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The built Worker. */
		readonly built: BuiltWorker['script'];
		/** The browser's binary. */
		readonly chromium: string;
	}
}

/** Builds the Worker, its pages and the documentation once for all files. Ends the run at once, and not with 0, where there is no browser to test with. */
export function setup(project: TestProject): () => void {
	const chromium = findChromium();
	if (chromium === undefined) {
		console.error(NO_CHROMIUM);
		process.exit(1);
	}
	project.provide('chromium', chromium);
	writeSite();
	buildPages();
	const folder = mkdtempSync(join(tmpdir(), 'affiliate-browser-'));
	project.provide('built', buildWorker('src/index.ts', folder).script);
	return () => rmSync(folder, { recursive: true, force: true });
}

/** As they are deployed, though Vitest says that this is a test. */
function buildPages(): void {
	execFileSync('npm', ['run', '--silent', 'build:pages'], { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } });
}
