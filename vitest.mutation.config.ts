import { defineConfig } from 'vitest/config';

// Under Stryker (npm run mutate): the pure modules' own tests, and nothing else.
export default defineConfig({
	test: {
		include: ['test/domain/**/*.test.ts'],
		environment: 'node',
		setupFiles: ['./test/support/properties.ts', './test/support/first-failure.ts'],
	},
});
