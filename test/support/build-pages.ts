import { execFileSync } from 'node:child_process';
import { writeSite } from '../../scripts/docs/write-site.ts';
import { ROOT } from '../../testing/root.ts';

/** The pages and the documentation are not committed. PAGES_ARE_BUILT=1 skips this. */
export function setup(): void {
	if (process.env['PAGES_ARE_BUILT'] === '1') return;
	writeSite();
	buildPages();
}

/** Builds for production although Vitest sets test mode, because the result may also be served. */
function buildPages(): void {
	execFileSync('npm', ['run', '--silent', 'build:pages'], { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } });
}
