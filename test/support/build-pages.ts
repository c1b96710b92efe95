import { join } from 'node:path';
import { createBuilder } from 'vite';
import { writeSite } from '../../scripts/docs/write-site.ts';
import { ROOT } from '../../testing/root.ts';

/** The pages and the documentation are built, not committed: once for all tests. */
export async function setup(): Promise<void> {
	writeSite();
	await (await createBuilder({ configFile: join(ROOT, 'src/pages/vite.config.ts'), logLevel: 'warn' })).buildApp();
}
