import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { ROOT } from '../../testing/root.ts';
import { seedOfCommit } from '../../testing/seed-of-commit.ts';
import { outside } from './outside.ts';

// Where tests run, for Vitest's configurations.

/** Pure modules, the SDK and the project's own files. They never run in workerd. */
const WITHOUT_WORKER = [
	'test/deliveries/**/*.test.ts',
	'test/domain/**/*.test.ts',
	'test/browser/**/*.test.ts',
	'test/orders/**/*.test.ts',
	'test/pages/**/*.test.ts',
	'test/project/**/*.test.ts',
	'test/scripts/**/*.test.ts',
	'test/sdk/*.test.ts',
	'test/migrations.test.ts',
];

const ELSEWHERE = ['test/chromium/**', 'test/deploy/**', 'test/scale/**'];

const COUNTS_ROWS = 'Only D1 counts the rows that a statement reads and writes.';

/**
 * Tests of the Worker that `npm test` runs in workerd, each with its reason. All others run in plain Node on the D1 look-alike, several
 * times as fast. `npm run test:workerd` and .ci/run run every test of the Worker in workerd.
 */
const NEEDS_WORKERD: Readonly<Record<string, string>> = {
	'test/spec/**/*.test.ts': 'The contract holds on the real thing.',
	'test/db/**/*.test.ts': 'Constraints, triggers and migrations are what D1 makes of them.',
	// The other files of this folder try lists, permissions and texts, which are the same in both.
	'test/http/{click-cookie,client-limits,csv,docs,errors,event-log,pages,program-pages,read-body,request-id,scripts,secure-answers,session-cookie,typed-client,whole-files}.test.ts':
		'Requests, responses and assets are what workerd makes of them.',
	'test/accounts/hashing.test.ts':
		'It tries what a password hash costs, and in plain Node it costs nothing (test/support/in-node/setup.ts).',
	'test/accounts/sent-emails.test.ts': "It sends by workerd's own binding for email.",
	'test/processor/large-bodies.test.ts': 'A body comes as a stream, as workerd makes it.',
	'test/**/*-races.test.ts': 'Concurrent calls interleave as they do on D1.',
	'test/**/races.test.ts': 'Concurrent calls interleave as they do on D1.',
	'test/**/rows.test.ts': COUNTS_ROWS,
	'test/tracking/rows-read.test.ts': COUNTS_ROWS,
	'test/reporting/own-performance.test.ts': COUNTS_ROWS,
	'test/payments/record-reversal.test.ts': COUNTS_ROWS,
	'test/processor/receive-stripe-event.test.ts': COUNTS_ROWS,
	'test/programs/refusals.test.ts': COUNTS_ROWS,
	'test/reporting/events-paging.test.ts': COUNTS_ROWS,
	'test/reporting/late-clicks.test.ts': COUNTS_ROWS,
	'test/reporting/explain-costs.test.ts': COUNTS_ROWS,
	'test/reporting/filtered-events.test.ts': COUNTS_ROWS,
	'test/reporting/read-event.test.ts': COUNTS_ROWS,
	'test/reporting/read-performance.test.ts': COUNTS_ROWS,
	'test/reporting/sources.test.ts': COUNTS_ROWS,
	'test/webhooks/claims.test.ts': COUNTS_ROWS,
	'test/**/trips.test.ts': 'Trips are counted on the database that they lead to.',
};

/** One more than CI has cores, because tests spend a quarter of their time waiting for hashes, pauses and modules. */
const WORKERS = 3;

/** Ends hanging tests, but so high that a busy machine never reaches it. */
const HANGS_AFTER_MS = 600_000;
/** A poll asks about something that mostly happens within a millisecond or two. */
const polling = { poll: { timeout: HANGS_AFTER_MS / 2, interval: 5 } };

/** SQLite waits for the disk twice per write, so the test databases are in memory if the system has a folder for that. */
export function keepDatabasesInMemory(): void {
	const folder = '/dev/shm';
	if (process.env['TMPDIR'] === undefined && existsSync(folder) && hasRoom(folder)) process.env['TMPDIR'] = folder;
}

/** A container's folder may have as little as 64 MB. */
function hasRoom(folder: string): boolean {
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize > 2e9;
}

/** Random tests start with a different seed for every commit; `SEED=1 npm test` starts with 1. */
function chooseSeed(): number {
	const seed = Number(process.env['SEED'] ?? seedOfCommit());
	if (process.env['SEED'] === undefined)
		process.stdout.write(`Random tests begin at seed ${seed}: SEED=${seed} npm test begins there again\n`);
	// Vitest reads its configuration once for each project.
	process.env['SEED'] = String(seed);
	return seed;
}

/**
 * `THOROUGH=1 npm test`, like .ci/run, tries every case; a push only samples some. `FULL_SIZE=1` makes pay runs pay 50,000 commissions of
 * 3,000 partners.
 */
export function provided(): { seed: number; thorough: boolean; fullSize: boolean } {
	return { seed: chooseSeed(), thorough: process.env['THOROUGH'] === '1', fullSize: process.env['FULL_SIZE'] === '1' };
}

/** The simulation replaces the process's timers and random numbers, so its tests share no process with others. */
const TAKES_THE_PROCESS = ['test/orders/**/*.test.ts'];

export const inNodeAlone: TestProjectInlineConfiguration = {
	test: {
		name: 'alone',
		maxWorkers: WORKERS,
		include: TAKES_THE_PROCESS,
		environment: 'node',
		setupFiles: ['./test/support/properties.ts'],
		expect: polling,
		testTimeout: HANGS_AFTER_MS,
		hookTimeout: HANGS_AFTER_MS,
	},
};

/** Plain Node with look-alikes of D1 and the platform's modules, for all tests that do not need workerd. */
export const inNode: TestProjectInlineConfiguration = {
	resolve: {
		alias: {
			'cloudflare:workers': join(ROOT, 'test/support/in-node/workers.ts'),
			'cloudflare:test': join(ROOT, 'test/support/in-node/test.ts'),
		},
	},
	test: {
		name: 'node',
		include: ['test/**/*.test.ts'],
		exclude: [...ELSEWHERE, ...TAKES_THE_PROCESS, ...Object.keys(NEEDS_WORKERD)],
		environment: 'node',
		globalSetup: ['./test/support/write-missing-site.ts'],
		setupFiles: ['./test/support/in-node/setup.ts', './test/support/properties.ts'],
		// Every test creates its own data, so many files share one database.
		isolate: false,
		maxWorkers: WORKERS,
		expect: polling,
		testTimeout: HANGS_AFTER_MS,
		hookTimeout: HANGS_AFTER_MS,
	},
};

/** Those that need workerd, all tests of the Worker, or those that `npm test` runs in plain Node. */
export function inWorkerd(files: 'that need it' | 'all' | 'the others'): TestProjectInlineConfiguration {
	const needWorkerd = Object.keys(NEEDS_WORKERD);
	return {
		plugins: [
			cloudflareTest(async () => ({
				main: './src/index.ts',
				wrangler: { configPath: './wrangler.toml', environment: 'dev' },
				miniflare: {
					// No request leaves the machine: see test/support/outside.ts.
					outboundService: outside,
					bindings: {
						SECRETS: 'test-secret-newest-0001,test-secret-earlier-0002',
						SETUP_TOKEN: 'test-setup-token',
						MIGRATIONS: await readD1Migrations('./migrations'),
					},
					d1Databases: {
						// A database in which nobody has signed up.
						EMPTY_DB: 'empty',
						// For the examples of the OpenAPI document, because its ids start at 1.
						EXAMPLES_DB: 'examples',
						// Starts without tables, for the tests of upgrades.
						UPGRADED_DB: 'upgraded',
						UPGRADED_CLICKS_DB: 'upgraded-clicks',
						// Has no problems except those that its tests cause.
						ALERTS_DB: 'alerts',
						MANY_PROGRAMS_DB: 'many-programs',
						NOBODY_DB: 'nobody',
					},
					// A real rate limit, low enough to reach: see test/spec/limits.test.ts.
					ratelimits: { LOW_LIMIT: { namespace_id: '7399', simple: { limit: 3, period: 60 } } },
				},
			})),
		],
		test: {
			name: 'workerd',
			globalSetup: ['./test/support/build-pages.ts'],
			include: files === 'that need it' ? needWorkerd : ['test/**/*.test.ts'],
			exclude: [...ELSEWHERE, ...WITHOUT_WORKER, ...(files === 'the others' ? needWorkerd : [])],
			setupFiles: ['./test/support/migrate.ts', './test/support/modules.ts', './test/support/properties.ts'],
			// Every test creates its own data, so many files share a Worker and its database.
			isolate: false,
			maxWorkers: WORKERS,
			expect: polling,
			testTimeout: HANGS_AFTER_MS,
			hookTimeout: HANGS_AFTER_MS,
		},
	};
}

/** One file, because its test fills the database only once. */
export const inWorkerdAtScale: TestProjectInlineConfiguration = atScale(inWorkerd('all'));

function atScale({ test, ...project }: TestProjectInlineConfiguration): TestProjectInlineConfiguration {
	const { globalSetup: _, ...kept } = test ?? {};
	return { ...project, test: { ...kept, name: 'scale', include: ['test/scale/**/*.test.ts'], exclude: [], maxWorkers: 1 } };
}
