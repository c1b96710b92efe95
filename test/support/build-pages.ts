import { execFileSync } from 'node:child_process';
import { writeSite } from '../../scripts/docs/write-site.ts';
import { ROOT } from '../../testing/root.ts';

/** The pages and the documentation are built, not committed: once for all tests, or by whoever says so with PAGES_ARE_BUILT=1. */
export function setup(): void {
	if (process.env['PAGES_ARE_BUILT'] === '1') return;
	writeSite();
	buildPages();
}

/** As they are deployed, though Vitest says that this is a test: what stands there afterwards may be served by hand. */
function buildPages(): void {
	execFileSync('npm', ['run', '--silent', 'build:pages'], { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } });
}
