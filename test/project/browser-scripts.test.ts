import { expect, test } from 'vitest';
import { buildBrowserScripts, builtModule } from '../../scripts/browser-scripts.ts';

test('what the Worker serves is made of src/browser/ as it is: otherwise npm run build:browser', async () => {
	const { module, sizes } = await buildBrowserScripts();
	expect(builtModule() === module).toBe(true);
	expect(sizes.filter(({ bytes, limit }) => bytes > limit)).toEqual([]);
});
