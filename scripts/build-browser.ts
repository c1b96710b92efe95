import { writeBrowserScripts } from './browser-scripts.ts';
import { runScript } from '../testing/failure.ts';

// npm run build:browser, also part of npm run build: makes what the Worker serves of src/browser/, and holds it to its size.

await runScript(async () => {
	const sizes = await writeBrowserScripts();
	for (const { name, bytes, limit } of sizes) console.log(`/${name}: ${bytes} bytes gzip, at most ${limit} allowed`);
	return sizes.some(({ bytes, limit }) => bytes > limit) ? 1 : 0;
});
