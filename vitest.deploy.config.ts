import { defineConfig } from 'vitest/config';

// npm run test:deploy: whatever starts the real wrangler, above all npm run deploy against a stand-in of Cloudflare's API (testing/cloudflare).
export default defineConfig({
	test: {
		name: 'deploy',
		include: ['test/deploy/**/*.test.ts'],
		environment: 'node',
		globalSetup: ['./test/deploy/support/build.ts'],
		maxWorkers: 2,
		// Limits end what hangs. They must never be what a busy machine fails by.
		testTimeout: 600_000,
		hookTimeout: 600_000,
	},
});
