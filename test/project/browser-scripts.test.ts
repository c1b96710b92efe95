import { expect, test } from 'vitest';
import { buildBrowserScripts, builtModule } from '../../scripts/browser-scripts.ts';

test('the Worker serves src/browser/ as it is; if not, run npm run build:browser', async () => {
	const { module, sizes } = await buildBrowserScripts();
	expect(builtModule() === module).toBe(true);
	expect(sizes.filter(({ bytes, limit }) => bytes > limit)).toEqual([]);
});
