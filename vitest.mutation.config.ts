import { defineConfig } from 'vitest/config';

/** A property is asked again for each mutant that it reaches: thousands of runs would take hours, and show little more. */
const MOST_RUNS = 300;

// Under Stryker (npm run mutate): the pure modules' own tests, and nothing else.
export default defineConfig({
	plugins: [
		{
			name: 'fewer-runs',
			enforce: 'pre',
			transform: (code) =>
				code.replaceAll(/numRuns: ([\d_]+)/g, (_, runs: string) => `numRuns: ${Math.min(Number(runs.replaceAll('_', '')), MOST_RUNS)}`),
		},
	],
	test: {
		include: ['test/domain/**/*.test.ts'],
		environment: 'node',
		// A mutant and the code itself are asked the same.
		provide: { seed: 20_261_120, thorough: false, fullSize: false },
		setupFiles: ['./test/support/properties.ts', './test/support/first-failure.ts'],
		// It is Stryker that ends what hangs.
		testTimeout: 0,
	},
});
