import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Surroundings } from '../../scripts/deploy/surroundings.ts';
import { ROOT } from '../../testing/root.ts';
import { type Operator, QUEUES, startOperator } from './support/operator.ts';

// The life of one deployment; each test continues where the previous one ended.

let operator: Operator;
beforeAll(async () => {
	operator = await startOperator();
});
afterAll(() => operator.stop());

const NOT_SIGNED_IN: Partial<Surroundings> = {
	env: {},
	wrangler: () => Promise.resolve({ code: 1, output: 'Not logged in.', stdout: '' }),
};
const ADDRESS = 'https://affiliate-tracker.acme.workers.dev';
const OWNER = { email: 'owner@acme.example', password: 'seven brown kettles' };

function secrets(): Record<string, unknown> {
	const bindings = operator.cloud.state.workers.get('affiliate-tracker')?.bindings ?? [];
	return Object.fromEntries(bindings.filter(({ type }) => type === 'secret_text').map(({ name, text }) => [name, text]));
}

function made() {
	const { databases, queues, workers, domains } = operator.cloud.state;
	return {
		databases: databases.map(({ name, location, jurisdiction }) => ({ name, location, jurisdiction })),
		queues: queues.map(({ queue_name: name, consumers }) => ({ name, consumers: consumers.length })),
		workers: [...workers].map(([name, { crons, isOnWorkersDev, placement }]) => ({ name, crons, isOnWorkersDev, placement })),
		domains,
	};
}

test.each([
	['with', {}],
	['without', NOT_SIGNED_IN],
])('a dry run %s credentials shows each step, only reads, and changes nothing', async (_, otherwise) => {
	const { code, said } = await operator.deploy(['--dry-run', '--location', 'weur'], otherwise);
	expect(code).toBe(0);
	expect(said).toMatch(
		/would ask: Name of the Worker[^]*would build[^]*would write[^]*would create the database affiliate-tracker in weur[^]*would create the queue affiliate-clicks[^]*would apply \d+ migrations[^]*would upload [^]*SECRETS, SETUP_TOKEN[^]*would check https:/,
	);
	expect([operator.cloud.changes, existsSync(operator.file)]).toEqual([[], false]);
});

test('without credentials nothing is deployed, and it says what to do', async () => {
	expect(await operator.deploy([], NOT_SIGNED_IN)).toEqual({ code: 1, said: expect.stringContaining('npx wrangler login') });
});

test("the first run creates everything, and prints a link for the first owner's sign-up", async () => {
	const { code, said } = await operator.deploy(['--location', 'weur']);
	expect([code, said]).toEqual([0, expect.stringContaining('ok  the dashboard opens')]);
	expect(said).toContain('SECRETS is random and only the Worker has it');
	expect(made()).toEqual({
		databases: [{ name: 'affiliate-tracker', location: 'weur' }],
		queues: QUEUES.map((name) => ({ name, consumers: 1 })),
		workers: [{ name: 'affiliate-tracker', crons: ['* * * * *'], isOnWorkersDev: true }],
		domains: [],
	});
	const [, url = '', token] = /(https:\S+)\/sign-up#(\S+)/.exec(said) ?? [];
	expect([url, token]).toEqual([ADDRESS, secrets()['SETUP_TOKEN']]);
	const owner = { ...OWNER, name: 'Olga', setup_token: token };
	const signUp = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(owner) };
	expect((await operator.cloud.fetch(`${url}/api/v1/auth/sign-up`, signUp)).status).toBe(201);
});

test('the second run creates nothing twice, keeps every secret, and says that nothing changed', async () => {
	const before = { ...made(), secrets: secrets() };
	operator.cloud.changes.splice(0);
	const { code, said } = await operator.deploy();
	expect([code, said]).toEqual([0, expect.stringContaining('Changed: only the upload')]);
	expect({ ...made(), secrets: secrets() }).toEqual(before);
	expect(operator.cloud.changes).not.toContain('d1 create');
	expect(said).not.toMatch(/sign-up|SECRETS/);
});

test("with a program's key it runs the test chain on the deployment; a lasting error is not retried", async () => {
	const service = async (path: string, body: object, token = '') => {
		const headers = { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) };
		const answer = await operator.cloud.fetch(`${ADDRESS}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
		return Object(Object(await answer.json())['data']);
	};
	const { token } = await service('/api/v1/auth/sign-in', OWNER);
	const program = await service('/api/v1/programs', { name: 'Acme', commission: { type: 'percent', percent: 20 } }, token);
	let waits = 0;
	const deploy = (key: string) => operator.deploy(['--program-key', key], { wait: () => Promise.resolve((waits += 1)) });

	expect(await deploy(program.api_token)).toEqual({
		code: 1,
		said: expect.stringMatching(/the test chain of the program failed:\n {2}click: /),
	});
	expect(await deploy(`prg_${'0'.repeat(40)}`)).toEqual({ code: 1, said: expect.stringContaining('no program at') });
	expect(waits).toBe(0);
	await service(`/api/v1/programs/${program.id}/partners`, { name: 'Dana', email: 'dana@acme.example', short_link: 'dana' }, token);
	expect(await deploy(program.api_token)).toEqual({ code: 0, said: expect.stringContaining('ok  the test chain of the program') });
	// Each test chain left one test sale, and there is no real one.
	expect(await operator.cloud.rows('SELECT is_test, count(*) AS sales FROM affiliate_sale_events GROUP BY is_test')).toEqual([
		{ is_test: 1, sales: 2 },
	]);
});

test("the operator's changes by an option or in the file are kept", async () => {
	writeFileSync(
		operator.file,
		readFileSync(operator.file, 'utf8')
			.replace('PROCESSOR_PAYLOAD_DAYS = "30"', 'PROCESSOR_PAYLOAD_DAYS = "7"')
			.replace('DATABASE_LIMIT_GB = "10"', 'DATABASE_LIMIT_GB = 0.5'),
	);
	const first = await operator.deploy(['--sign-up', 'open', '--placement', 'smart']);
	expect([first.code, first.said]).toEqual([0, expect.stringContaining('vars.SIGN_UP: "invite" -> "open"')]);
	const again = await operator.deploy();
	expect([again.code, made().workers[0]?.placement]).toEqual([0, { mode: 'smart' }]);
	const vars = operator.cloud.state.workers.get('affiliate-tracker')?.bindings.filter(({ type }) => type === 'plain_text');
	expect(Object.fromEntries((vars ?? []).map(({ name, text }) => [name, text]))).toMatchObject({
		SIGN_UP: 'open',
		PROCESSOR_PAYLOAD_DAYS: '7',
	});
});

test('without the file, as on a new machine or a CI runner, everything is found again', async () => {
	const before = { ...made(), secrets: secrets() };
	const { stop, ...elsewhere } = await startOperator({ cloud: operator.cloud });
	expect(await elsewhere.deploy()).toEqual({ code: 0, said: expect.not.stringContaining('create') });
	expect({ ...made(), secrets: secrets() }).toEqual(before);
	expect(elsewhere.config()).toContain('SIGN_UP = "open"');
	expect(elsewhere.config()).toContain('DATABASE_LIMIT_GB = "0.5"');
	await stop();
});

test('an upgrade adds a queue and a setting, and keeps what the operator selected', async () => {
	const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
	const later = toml
		.replace('[[queues.producers]]', '[[queues.producers]]\nbinding = "REPORTS"\nqueue = "affiliate-reports"\n\n[[queues.producers]]')
		.replace('LOG_EVENTS = "off"', 'LOG_EVENTS = "on"\nREPORT_DAYS = "9"')
		.replace('PROCESSOR_PAYLOAD_DAYS = "30"', 'PROCESSOR_PAYLOAD_DAYS = "20"');
	const wranglerToml = join(operator.folder, 'later.toml');
	writeFileSync(wranglerToml, later);
	const { code, said } = await operator.deploy([], { wranglerToml });
	expect([code, said]).toEqual([0, expect.stringContaining('create the queue affiliate-reports')]);
	const config = operator.config();
	for (const line of [
		'REPORT_DAYS = "9"',
		'LOG_EVENTS = "on"',
		'PROCESSOR_PAYLOAD_DAYS = "7"',
		'SIGN_UP = "open"',
		'queue = "affiliate-reports"',
	])
		expect(config).toContain(line);
	expect(made().queues.map(({ name }) => name)).toEqual([...QUEUES, 'affiliate-reports']);
});

test('a second service in the account shares nothing with the first; in a workflow its token stays out of the log', async () => {
	const before = { ...made(), secrets: secrets() };
	const { stop, deploy, config } = await startOperator({ cloud: operator.cloud });
	const { url: CLOUDFLARE_API_BASE_URL, token: CLOUDFLARE_API_TOKEN } = operator.cloud;
	const given = { CI: 'true', SETUP_TOKEN: 'a-token-of-my-own-0001', SECRETS: 'a-secret-of-my-own-0001' };
	const options = ['--name', 'second-shop', '--domain', 'go.second.example', '--location', 'eu', '--mail-from', 'mail@second.example'];
	const { code, said } = await deploy(options, { env: { CLOUDFLARE_API_BASE_URL, CLOUDFLARE_API_TOKEN, ...given } });
	expect([code, said]).toEqual([0, expect.stringContaining('https://go.second.example/sign-up#<your SETUP_TOKEN>')]);
	expect(said).not.toMatch(/a-token-of-my-own|a-secret-of-my-own|only the Worker has it/);
	const { databases, queues, workers, domains } = made();
	expect([databases[1], domains]).toEqual([
		{ name: 'second-shop', jurisdiction: 'eu' },
		[{ hostname: 'go.second.example', service: 'second-shop' }],
	]);
	expect(queues.filter(({ name }) => name.startsWith('second-shop-')).map(({ consumers }) => consumers)).toEqual(
		before.queues.filter(({ name }) => name !== 'affiliate-reports').map(() => 1),
	);
	expect(workers[1]).toMatchObject({ name: 'second-shop', isOnWorkersDev: false });
	const bindings = operator.cloud.state.workers.get('second-shop')?.bindings ?? [];
	expect(bindings.map(({ name, text }) => [name, text])).toEqual(
		expect.arrayContaining([
			['SETUP_TOKEN', given.SETUP_TOKEN],
			['SECRETS', given.SECRETS],
		]),
	);
	expect(bindings).toContainEqual(expect.objectContaining({ type: 'send_email', name: 'MAIL' }));
	expect(config()).toContain('PUBLIC_URL = "https://go.second.example"');
	expect(secrets()).toEqual(before.secrets);
	await stop();
});
