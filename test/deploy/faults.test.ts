import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Fault, Pseudonym } from '../../testing/cloudflare/cloud.ts';
import { migrationFiles } from '../../testing/migrations.ts';
import { type Operator, OUT_OF_ORDER, QUEUES, startOperator } from './support/operator.ts';

// Whatever fails, and whether or not it was done all the same: running it again goes on from there, and ends like a run without.

let operator: Operator | undefined;
afterEach(() => operator?.stop());

/** The calls that change something, and which of them in a run; each is reached once those before it have been got over. */
const CHANGES: readonly (readonly [string, number])[] = [
	['d1 create', 1],
	['queues create', 2],
	['d1 query', 20],
	['assets session', 1],
	['script upload', 1],
	['worker subdomain', 1],
	// What of the queues and the schedule can be done is done, whatever becomes of the rest.
	['consumers create', 2],
	['schedules', 1],
];

/** The call of that name from the `from`th of a run on, or that one alone. */
function faultAt(cloud: Pseudonym, [name, from]: readonly [string, number], fault: Fault): void {
	let count = 0;
	cloud.faultAt = (called, call) => {
		if (called !== name || (name === 'd1 query' && /"sql":"\s*SELECT/.test(new TextDecoder().decode(call.body.subarray(0, 40)))))
			return undefined;
		count += 1;
		return count === from || (count > from && fault !== 'lost') ? fault : undefined;
	};
}

function secretsOf(cloud: Pseudonym): unknown {
	return cloud.state.workers.get('affiliate-tracker')?.bindings.filter(({ type }) => type === 'secret_text');
}

async function expectWhole({ cloud, deploy }: Operator): Promise<void> {
	cloud.faultAt = undefined;
	const { code, said } = await deploy();
	expect([code, said]).toEqual([0, expect.stringContaining('ok  a sale with a key that nobody has is refused')]);
	const { databases, queues, workers } = cloud.state;
	expect(databases).toMatchObject([{ name: 'affiliate-tracker', location: 'weur' }]);
	expect(queues.map(({ queue_name: name, consumers }) => [name, consumers.length])).toEqual(QUEUES.map((name) => [name, 1]));
	expect(workers.get('affiliate-tracker')).toMatchObject({ crons: ['* * * * *'], isOnWorkersDev: true });
	const applied = await cloud.rows('SELECT name FROM d1_migrations ORDER BY id');
	expect(applied).toEqual(migrationFiles().map(({ name }) => ({ name: `${name}.sql` })));
}

test('refused at each step in turn', async () => {
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
	// What the Worker was given first is what it has.
	expect(secretsOf(cloud)).toEqual(secrets);
});

test('done at each step in turn, and the answer lost', async () => {
	operator = await startOperator();
	const { cloud, deploy } = operator;
	let secrets: unknown;
	for (const change of CHANGES) {
		faultAt(cloud, change, 'lost');
		// Some it gets over by itself.
		const { code, said } = await deploy(cloud.state.databases.length === 0 ? ['--location', 'weur'] : []);
		if (code !== 0) expect(said).toContain('Run npm run deploy again');
		secrets ??= secretsOf(cloud);
	}
	await expectWhole(operator);
	expect(secretsOf(cloud)).toEqual(secrets);
});

describe('it says what to do', () => {
	test.each<[string, string, Fault, string]>([
		['where the token is not taken', 'accounts list', { status: 401, code: 1000, message: 'Invalid API Token' }, 'npx wrangler login'],
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
		['on a plan without queues', 'queues create', { status: 403, code: 100_129, message: 'Queues are unavailable' }, 'needs Workers Paid'],
		[
			'where the account is full of databases',
			'd1 create',
			{ status: 400, code: 7406, message: 'maximum' },
			'as many databases as its plan allows',
		],
		['where Cloudflare wants fewer requests', 'd1 create', { status: 429, code: 971, message: 'throttled' }, 'wait five minutes'],
		['where Cloudflare is out of order', 'settings read', OUT_OF_ORDER, 'https://www.cloudflarestatus.com'],
		['where no answer comes', 'subdomain', 'lost', 'no answer from Cloudflare'],
	])('%s', async (_, name, fault, advice) => {
		operator = await startOperator();
		operator.cloud.faultAt = (called) => (called === name ? fault : undefined);
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining(advice) });
	});

	test('where the account has no address on workers.dev', async () => {
		operator = await startOperator();
		operator.cloud.state.subdomain = undefined;
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringMatching(/workers\/onboarding.*--domain/) });
	});

	test('where the name is taken by another Worker', async () => {
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

	test("where a queue's messages go to another Worker", async () => {
		operator = await startOperator();
		const consumer = { consumer_id: 'c', type: 'worker', script: 'shop', settings: {} } as const;
		operator.cloud.state.queues.push({ queue_id: 'q', queue_name: 'affiliate-clicks', consumers: [consumer] });
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining('its messages go to the Worker shop') });
	});

	test('where the database is of something else', async () => {
		operator = await startOperator();
		operator.cloud.state.databases.push({
			uuid: 'f7b1f1d0-0000-4000-8000-000000000000',
			name: 'affiliate-tracker',
			jurisdiction: undefined,
			location: undefined,
		});
		await operator.cloud.rows('CREATE TABLE posts (id INTEGER PRIMARY KEY)');
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining('is not of this service') });
	});

	test('where the database of the file is gone', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name) => (name === 'queues list' ? { status: 403, code: 10_000, message: 'no' } : undefined);
		await operator.deploy();
		operator.cloud.state.databases.splice(0);
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringContaining('take away the line database_id') });
	});

	test('where a domain leads elsewhere', async () => {
		operator = await startOperator();
		const { code, said } = await operator.deploy(['--domain', 'shop.acme.example'], { isHost: () => Promise.resolve(true) });
		expect([code, operator.cloud.changes]).toEqual([1, []]);
		expect(said).toContain('shop.acme.example leads somewhere already');
	});

	test('where there are several accounts and nobody to ask', async () => {
		operator = await startOperator();
		operator.cloud.accounts.push({ id: 'b'.repeat(32), name: 'Other' });
		expect(await operator.deploy()).toEqual({
			code: 1,
			said: expect.stringMatching(/--account or CLOUDFLARE_ACCOUNT_ID:\n.*Acme.*\n.*Other/),
		});
	});

	test('where the domains of the account may not be looked at', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name) => (name === 'domains list' ? { status: 403, code: 10_000, message: 'no' } : undefined);
		expect(await operator.deploy(['--domain', 'track.acme.example'])).toEqual({
			code: 1,
			said: expect.stringContaining('Zone > Workers Routes > Edit'),
		});
	});

	test('where at the end nobody says whether somebody has signed up', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name, { body }) =>
			name === 'd1 query' && new TextDecoder().decode(body).includes('FROM users LIMIT') ? OUT_OF_ORDER : undefined;
		expect(await operator.deploy()).toEqual({ code: 1, said: expect.stringMatching(/It runs: https:[^]*Run npm run deploy again/) });
	});

	test('where the database is elsewhere than it is wanted now: it cannot be moved', async () => {
		operator = await startOperator();
		operator.cloud.faultAt = (name) => (name === 'queues create' ? OUT_OF_ORDER : undefined);
		await operator.deploy(['--location', 'weur']);
		const moved = { code: 1, said: expect.stringContaining('cannot be moved') };
		// The second time too: nothing was written down of the first.
		for (const location of ['eu', 'apac', 'apac']) expect(await operator.deploy(['--location', location])).toEqual(moved);
		expect((await operator.deploy(['--location', 'weur'])).said).toContain('Could not create the queue');
		// A runner has no file, and each time the same option.
		rmSync(operator.file);
		expect((await operator.deploy(['--location', 'weur'])).said).toContain('Could not create the queue');
		expect(operator.cloud.state.databases).toHaveLength(1);
	});

	test('where the token is none', async () => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: 'first-half\nsecond-half' };
		const { code, said } = await operator.deploy([], { env });
		expect([code, said]).toEqual([1, expect.stringContaining('CLOUDFLARE_API_TOKEN has a character that no token has')]);
		expect(said).not.toContain('half');
	});

	test('where the file was torn', async () => {
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
		[['--location', 'mars'], '--location is one of wnam'],
		[['--placement', 'near'], '--placement is off, smart, or a region'],
		[['--domain', 'https://a.example'], '--domain is a host name, without https://'],
		[['--lokation', 'weur'], "Unknown option '--lokation'"],
	])('for an option that is none: %s', async (args, complaint) => {
		operator = await startOperator();
		expect(await operator.deploy(args)).toEqual({ code: 1, said: expect.stringContaining(complaint) });
	});

	test('for an option whose value npm took for itself', async () => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: operator.cloud.token, npm_config_sign_up: 'true' };
		expect(await operator.deploy([], { env })).toEqual({ code: 1, said: expect.stringContaining('npm run deploy -- --sign-up') });
		expect(operator.cloud.changes).toEqual([]);
	});

	test('in a workflow, whose log others read, without a SETUP_TOKEN', async () => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: operator.cloud.token, CI: 'true' };
		const { code, said } = await operator.deploy([], { env });
		expect([code, operator.cloud.changes]).toEqual([1, []]);
		expect(said).toContain('Set SETUP_TOKEN, as a secret of the workflow');
	});

	test.each(['short', 'long-enough-0123456789,short'])('where a secret of the environment is none: %s', async (SECRETS) => {
		operator = await startOperator();
		const env = { CLOUDFLARE_API_BASE_URL: operator.cloud.url, CLOUDFLARE_API_TOKEN: operator.cloud.token, SECRETS };
		expect(await operator.deploy([], { env })).toEqual({
			code: 1,
			said: expect.stringContaining('SECRETS in the environment is too short'),
		});
	});
});
