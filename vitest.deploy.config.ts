import { defineConfig } from 'vitest/config';

// npm run test:deploy: whatever starts the real wrangler, above all npm run deploy against a stand-in of Cloudflare's API (testing/cloudflare).
export default defineConfig({
	test: {
		name: 'deploy',
		include: ['test/deploy/**/*.test.ts'],
		environment: 'node',
		globalSetup: ['./test/deploy/support/build.ts'],
		maxWorkers: 2,
		// Wrangler and workerd, on a busy machine.
		testTimeout: 240_000,
		hookTimeout: 60_000,
	},
});
