import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fault, SimulatedCloud } from '../../testing/cloudflare/cloud.ts';
import { migrationFiles } from '../../testing/migrations.ts';
import { type Operator, OUT_OF_ORDER, QUEUES, startOperator } from './support/operator.ts';

// After any fault, whether or not the step took effect, the next run continues and ends like an undisturbed one.

let operator: Operator | undefined;
afterEach(() => operator?.stop());

/** How many calls of each kind change something in a run. A call is reached only after the ones before it succeed. */
const CHANGES: readonly (readonly [string, number])[] = [
	['d1 create', 1],
	['queues create', 2],
	['d1 query', 20],
	['assets session', 1],
	['script upload', 1],
	['worker subdomain', 1],
	// Queues and schedule are independent, so a failure of one does not prevent the others.
	['consumers create', 2],
	['schedules', 1],
];

/** Fails every call with that name from the nth on, or loses only the nth response. */
function faultAt(cloud: SimulatedCloud, [name, from]: readonly [string, number], fault: Fault): void {
	let count = 0;
	cloud.faultAt = (called, call) => {
		if (called !== name || (name === 'd1 query' && /"sql":"\s*SELECT/.test(new TextDecoder().decode(call.body.subarray(0, 40)))))
			return undefined;
		count += 1;
		return count === from || (count > from && fault !== 'lost') ? fault : undefined;
	};
}

function secretsOf(cloud: SimulatedCloud): unknown {
	return cloud.state.workers.get('affiliate-tracker')?.bindings.filter(({ type }) => type === 'secret_text');
}

async function expectWhole({ cloud, deploy }: Operator): Promise<void> {
	cloud.faultAt = undefined;
	const { code, said } = await deploy();
	expect([code, said]).toEqual([0, expect.stringContaining('ok  a sale with an unknown key is refused')]);
	const { databases, queues, workers } = cloud.state;
	expect(databases).toMatchObject([{ name: 'affiliate-tracker', location: 'weur' }]);
	expect(queues.map(({ queue_name: name, consumers }) => [name, consumers.length])).toEqual(QUEUES.map((name) => [name, 1]));
	expect(workers.get('affiliate-tracker')).toMatchObject({ crons: ['* * * * *'], isOnWorkersDev: true });
	const applied = await cloud.rows('SELECT name FROM d1_migrations ORDER BY id');
	expect(applied).toEqual(migrationFiles().map(({ name }) => ({ name: `${name}.sql` })));
}

test('each step is refused in turn', async () => {
	operator = await startOperator();
	const { cloud, deploy } = operator;
	let secrets: unknown;
	for (const change of CHANGES) {
		faultAt(cloud, change, OUT_OF_ORDER);
		const { code, said } = await deploy(cloud.state.databases.length === 0 ? ['--location', 'weur'] : []);
		expect([change[0], code, said]).toEqual([change[0], 1, expect.stringContaining('Run npm run deploy again')]);
		secrets ??= secretsOf(cloud);
	}
	await expectWhole(operator);
	// The Worker keeps its first secrets.
	expect(secretsOf(cloud)).toEqual(secrets);
});

test('each step is done in turn, but its answer is lost', async () => {
	operator = await startOperator();
	const { cloud, deploy } = operator;
	let secrets: unknown;
	for (const change of CHANGES) {
		faultAt(cloud, change, 'lost');
		// The deployment recovers from some of these by itself.
		const { code, said } = await deploy(cloud.state.databases.length === 0 ? ['--location', 'weur'] : []);
		if (code !== 0) expect(said).toContain('Run npm run deploy again');
		secrets ??= secretsOf(cloud);
	}
	await expectWhole(operator);
	expect(secretsOf(cloud)).toEqual(secrets);
});

describe('it says what to do', () => {
	test.each<[string, string, Fault, string]>([
		['if the token is rejected', 'accounts list', { status: 401, code: 1000, message: 'Invalid API Token' }, 'npx wrangler login'],
		[
			'without the permission for databases',
			'd1 list',
			{ status: 403, code: 10_000, message: 'Authentication error' },
			'Account > D1 > Edit',
		],
		[
			'without the permission for queues',
			'queues list',
			{ status: 403, code: 10_000, message: 'Authentication error' },
			'Account > Queues > Edit',
		],
		[
			'on a plan without queues',
			'queues create',
			{ status: 403, code: 100_129, message: 'Queues are unavailable' },
			'needs the Workers Paid plan',
		],
		[
			'if the account has reached its limit of databases',
			'd1 create',
			{ status: 400, code: 7406, message: 'maximum' },
			"its plan's limit of databases",
		],
		['if Cloudflare limits the rate', 'd1 create', { status: 429, code: 971, message: 'throttled' }, 'wait five minutes'],
		['if Cloudflare has an outage', 'settings read', OUT_OF_ORDER, 'https://www.cloudflarestatus.com'],
		['if no answer arrives', 'subdomain', 'lost', 'no response from Cloudflare'],
	])('%s', async (_, name, fault, advice) => {
		operator = await startOperator();
		operator.cloud.faultAt = (called) => (called === name ? fault : undefined);
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining(advice) });
	});

	test('if the account has no workers.dev address', async () => {
		operator = await startOperator();
		operator.cloud.state.subdomain = undefined;
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringMatching(/workers\/onboarding.*--domain/) });
	});

	test('if the name is taken by another Worker', async () => {
		operator = await startOperator();
		const other = {
			main: 'index.mjs',
			modules: new Map(),
			bindings: [],
			placement: undefined,
			uploads: 1,
			crons: [],
			isOnWorkersDev: true,
		};
		operator.cloud.state.workers.set('affiliate-tracker', other);
		expect(await operator.deploy()).toEqual({
			code: 1,
			said: expect.stringContaining('that is not this service. Choose another name: --name'),
		});
		expect(operator.cloud.changes).toEqual([]);
	});

	test("if a queue's messages go to another Worker", async () => {
		operator = await startOperator();
		const consumer = { consumer_id: 'c', type: 'worker', script: 'shop', settings: {} } as const;
		operator.cloud.state.queues.push({ queue_id: 'q', queue_name: 'affiliate-clicks', consumers: [consumer] });
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining('the Worker shop consumes it') });
	});

	test('if the database belongs to something else', async () => {
		operator = await startOperator();
		operator.cloud.state.databases.push({
			uuid: 'f7b1f1d0-0000-4000-8000-000000000000',
			name: 'affiliate-tracker',
			jurisdiction: undefined,
			location: undefined,
		});
		await operator.cloud.rows('CREATE TABLE posts (id INTEGER PRIMARY KEY)');
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining('belongs to something else') });
	});

	test('if the database in the file is gone', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name) => (name === 'queues list' ? { status: 403, code: 10_000, message: 'no' } : undefined);
		await operator.deploy();
		operator.cloud.state.databases.splice(0);
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining('remove the line database_id') });
	});

	test('if the domain is already in use', async () => {
		operator = await startOperator();
		const { code, said } = await operator.deploy(['--domain', 'shop.acme.example'], { isHost: () => Promise.resolve(true) });
		expect([code, operator.cloud.changes]).toEqual([1, []]);
		expect(said).toContain('shop.acme.example already points somewhere else');
	});

	test('if there are several accounts and nobody to ask', async () => {
		operator = await startOperator();
		operator.cloud.accounts.push({ id: 'b'.repeat(32), name: 'Other' });
		expect(await operator.deploy()).toEqual({
			code: 1,
			said: expect.stringMatching(/--account or CLOUDFLARE_ACCOUNT_ID:\n.*Acme.*\n.*Other/),
		});
	});

	test('if it may not read the domains of the account', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name) => (name === 'domains list' ? { status: 403, code: 10_000, message: 'no' } : undefined);
		expect(await operator.deploy(['--domain', 'track.acme.example'])).toEqual({
			code: 1,
			said: expect.stringContaining('Zone > Workers Routes > Edit'),
		});
	});

	test('if it cannot find out whether somebody has signed up', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name, { body }) =>
			name === 'd1 query' && new TextDecoder().decode(body).includes('FROM users LIMIT') ? OUT_OF_ORDER : undefined;
		expect(await operator.deploy()).toEqual({
			code: 1,
			said: expect.stringMatching(/The service is running: https:[^]*Run npm run deploy again/),
		});
	});

	test('if the database should be in another location: it cannot be moved', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name) => (name === 'queues create' ? OUT_OF_ORDER : undefined);
		await operator.deploy(['--location', 'weur']);
		const moved = { code: 1, said: expect.stringContaining('cannot be moved') };
		// It is refused the second time too, because the first attempt did not save the location.
		for (const location of ['eu', 'apac', 'apac']) expect(await operator.deploy(['--location', location])).toEqual(moved);
		expect((await operator.deploy(['--location', 'weur'])).said).toContain('Could not create the queue');
		// A CI runner has no file, but always passes the same option.
		rmSync(operator.file);
		expect((await operator.deploy(['--location', 'weur'])).said).toContain('Could not create the queue');
		expect(operator.cloud.state.databases).toHaveLength(1);
	});

	test('if the token is invalid', async () => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: 'first-half\nsecond-half' };
		const { code, said } = await operator.deploy([], { env });
		expect([code, said]).toEqual([1, expect.stringContaining('CLOUDFLARE_API_TOKEN has an invalid character')]);
		expect(said).not.toContain('half');
	});

	test('if the file is damaged', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name) => (name === 'queues create' ? OUT_OF_ORDER : undefined);
		await operator.deploy();
		writeFileSync(
			operator.file,
			operator.config().replace(/^#= .*$/m, (line) => line.slice(0, 200)),
		);
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining('the line that begins with "#="') });
	});

	test.each([
		[['--location', 'mars'], '--location must be one of wnam'],
		[['--placement', 'near'], '--placement must be off, smart, or a region'],
		[['--domain', 'https://a.example'], '--domain must be a host name, without https://'],
		[['--lokation', 'weur'], "Unknown option '--lokation'"],
	])('for an invalid option: %s', async (args, complaint) => {
		operator = await startOperator();
		expect(await operator.deploy(args)).toEqual({ code: 1, said: expect.stringContaining(complaint) });
	});

	test('for an option whose value npm used itself', async () => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: operator.cloud.token, npm_config_sign_up: 'true' };
		expect(await operator.deploy([], { env })).toEqual({ code: 1, said: expect.stringContaining('npm run deploy -- --sign-up') });
		expect(operator.cloud.changes).toEqual([]);
	});

	test('in a workflow with a public log, without a SETUP_TOKEN', async () => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: operator.cloud.token, CI: 'true' };
		const { code, said } = await operator.deploy([], { env });
		expect([code, operator.cloud.changes]).toEqual([1, []]);
		expect(said).toContain('Set SETUP_TOKEN, as a secret of the workflow');
	});

	test.each(['short', 'long-enough-0123456789,short'])('if a secret in the environment is invalid: %s', async (SECRETS) => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: operator.cloud.token, SECRETS };
		expect(await operator.deploy([], { env })).toEqual({
			code: 1,
			said: expect.stringContaining('SECRETS in the environment is too short'),
		});
	});
});
