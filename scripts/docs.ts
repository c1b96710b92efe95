import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSite, SITE } from './docs/site.ts';
import { runScript } from '../testing/failure.ts';

// npm run docs, also part of npm run openapi: writes public/docs, as the guides and the OpenAPI document are now.

await runScript(async () => {
	const files = buildSite();
	rmSync(SITE, { recursive: true, force: true });
	for (const [name, text] of files) {
		mkdirSync(dirname(join(SITE, name)), { recursive: true });
		writeFileSync(join(SITE, name), text);
	}
	console.log(`${SITE}: ${files.size} files`);
	return 0;
});
