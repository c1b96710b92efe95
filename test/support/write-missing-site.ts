import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeSite } from '../../scripts/docs/write-site.ts';
import { ROOT } from '../../testing/root.ts';

/** The Worker answers its documentation from public/docs, which a fresh clone does not have. Runs with tests in workerd write it anew. */
export function setup(): void {
	if (!existsSync(join(ROOT, 'public/docs/index.html'))) writeSite();
}
