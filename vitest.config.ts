import { existsSync, statfsSync } from 'node:fs';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { seedOfCommit } from './testing/seed-of-commit.ts';
import { outside } from './test/support/outside.ts';

/** Random tests begin elsewhere with every commit; `SEED=1 npm test` begins at 1. */
const seed = Number(process.env['SEED'] ?? seedOfCommit());
if (process.env['SEED'] === undefined)
	process.stdout.write(`Random tests begin at seed ${seed}: SEED=${seed} npm test begins there again\n`);
// Vitest reads this file for each of its projects.
process.env['SEED'] = String(seed);

// With every write SQLite waits for the disk, twice: where memory can be had as a folder, the databases of the tests lie there.
const MEMORY = '/dev/shm';
if (process.env['TMPDIR'] === undefined && existsSync(MEMORY) && hasRoom(MEMORY)) process.env['TMPDIR'] = MEMORY;

/** Of a container it may be 64 MB. */
function hasRoom(folder: string): boolean {
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize > 2e9;
}

export default defineConfig({
	test: {
		provide: { seed },
		projects: [
			{
				// The pure modules, the SDK and the project's own files, in plain Node.
				test: {
					name: 'domain',
					include: [
						'test/deliveries/**/*.test.ts',
						'test/domain/**/*.test.ts',
						'test/browser/**/*.test.ts',
						'test/orders/**/*.test.ts',
						'test/pages/**/*.test.ts',
						'test/project/**/*.test.ts',
						'test/scripts/**/*.test.ts',
						'test/sdk/*.test.ts',
						'test/migrations.test.ts',
					],
					environment: 'node',
					setupFiles: ['./test/support/properties.ts'],
					// Some compile or read much: on a busy machine no fault.
					testTimeout: 30_000,
				},
			},
			{
				plugins: [
					cloudflareTest(async () => ({
						main: './src/index.ts',
						wrangler: { configPath: './wrangler.toml', environment: 'dev' },
						miniflare: {
							// Nothing leaves the machine: see test/support/outside.ts.
							outboundService: outside,
							bindings: {
								SECRETS: 'test-secret-newest-0001,test-secret-earlier-0002',
								SETUP_TOKEN: 'test-setup-token',
								MIGRATIONS: await readD1Migrations('./migrations'),
							},
							d1Databases: {
								// Nobody has signed up to it yet.
								EMPTY_DB: 'empty',
								// For the examples of the OpenAPI document: its ids begin at 1.
								EXAMPLES_DB: 'examples',
								// It has no table: it is upgraded.
								UPGRADED_DB: 'upgraded',
								// Nothing is wrong in them but what their tests bring about.
								ALERTS_DB: 'alerts',
								NOBODY_DB: 'nobody',
							},
							// A real limit, low enough to be met: see test/spec/limits.test.ts.
							ratelimits: { LOW_LIMIT: { namespace_id: '7399', simple: { limit: 3, period: 60 } } },
						},
					})),
				],
				test: {
					name: 'worker',
					globalSetup: ['./test/support/build-pages.ts'],
					include: ['test/**/*.test.ts'],
					exclude: [
						'test/deliveries/**',
						'test/domain/**',
						'test/browser/**',
						'test/chromium/**',
						'test/deploy/**',
						'test/orders/**',
						'test/pages/**',
						'test/project/**',
						'test/scripts/**',
						'test/sdk/*.test.ts',
						'test/migrations.test.ts',
					],
					setupFiles: ['./test/support/migrate.ts', './test/support/modules.ts', './test/support/properties.ts'],
					// Every test makes its own world, so that many files share a Worker and its database; two of these run at a time.
					isolate: false,
					maxWorkers: 2,
					testTimeout: 60_000,
				},
			},
		],
	},
});
