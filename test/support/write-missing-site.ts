import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeSite } from '../../scripts/docs/write-site.ts';
import { ROOT } from '../../testing/root.ts';

/** The Worker serves its documentation from public/docs, which a fresh clone lacks. Test runs in workerd rewrite it. */
export function setup(): void {
	if (!existsSync(join(ROOT, 'public/docs/index.html'))) writeSite();
}
