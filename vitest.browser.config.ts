import { defineConfig } from 'vitest/config';

// npm run test:browser: the browser script in a real Chromium, against the real Worker. Apart from `npm test`, which needs
// no browser.
export default defineConfig({
	test: {
		name: 'chromium',
		include: ['test/chromium/**/*.test.ts'],
		environment: 'node',
		globalSetup: ['./test/chromium/support/setup.ts'],
		// Each file has a Worker and a browser of its own.
		maxWorkers: 1,
		// Limits end what hangs. They must never be what a busy machine fails by.
		testTimeout: 600_000,
		hookTimeout: 600_000,
		expect: { poll: { timeout: 300_000 } },
	},
});
