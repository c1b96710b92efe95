import { join } from 'node:path';
import { createBuilder } from 'vite';
import { ROOT } from '../../testing/root.ts';

/** The pages are built, not committed: once for all tests. */
export async function setup(): Promise<void> {
	await (await createBuilder({ configFile: join(ROOT, 'src/pages/vite.config.ts'), logLevel: 'warn' })).buildApp();
}
