import { SITE, writeSite } from './docs/write-site.ts';
import { runScript } from '../testing/failure.ts';

// npm run docs, also part of npm run build: builds public/docs from the guides and the OpenAPI document. `npm run dev` does this when it
// starts, and also serves later builds.

await runScript(() => {
	console.log(`${SITE}: ${writeSite()} files`);
	return Promise.resolve(0);
});
