import { SITE, writeSite } from './docs/write-site.ts';
import { runScript } from '../testing/failure.ts';

// npm run docs, also part of npm run build: makes public/docs of the guides and the OpenAPI document, as they are now. A running
// `npm run dev`, which makes it when it starts, then serves it.

await runScript(() => {
	console.log(`${SITE}: ${writeSite()} files`);
	return Promise.resolve(0);
});
