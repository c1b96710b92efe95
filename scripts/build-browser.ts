import { writeBrowserScripts } from './browser-scripts.ts';
import { runScript } from '../testing/failure.ts';

// npm run build:browser, also part of npm run build: builds the scripts of src/browser/ that the Worker serves, and checks their size.

await runScript(async () => {
	const sizes = await writeBrowserScripts();
	for (const { name, bytes, limit } of sizes) console.log(`/${name}: ${bytes} bytes gzip, limit ${limit}`);
	return sizes.some(({ bytes, limit }) => bytes > limit) ? 1 : 0;
});
