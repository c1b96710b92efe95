import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { requireChromium } from './chromium.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The folder of the built Worker. */
		readonly built: string;
		/** The browser's binary. */
		readonly chromium: string;
	}
}

const ROOT = join(import.meta.dirname, '../../..');

/** Builds the Worker once for all files. Fails at once where there is no browser to test with. */
export function setup(project: TestProject): () => void {
	project.provide('chromium', requireChromium());
	const built = mkdtempSync(join(tmpdir(), 'affiliate-browser-'));
	const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
	execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--env', 'dev', '--outdir', built], {
		cwd: ROOT,
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	project.provide('built', built);
	return () => rmSync(built, { recursive: true, force: true });
}
