import { writeFileSync } from 'node:fs';
import { runScript } from '../testing/failure.ts';
import { DOCUMENT } from './openapi/committed.ts';
import { currentDocument } from './openapi/current.ts';

// npm run openapi: writes public/api/openapi.json from the code.

await runScript(async () => {
	const document = await currentDocument();
	writeFileSync(DOCUMENT, document);
	console.log(`${DOCUMENT}: ${document.length} characters`);
	return 0;
});
