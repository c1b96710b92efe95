import { afterEach, expect, test } from 'vitest';
import { type Operator, OUT_OF_ORDER, startOperator } from './support/operator.ts';

// What the deployment asks the operator, and what it finds out by itself.

let operator: Operator | undefined;
afterEach(() => operator?.stop());

test('if somebody is there, it asks for what it cannot know until the answer is valid, and asks nothing twice', async () => {
	operator = await startOperator();
	operator.cloud.accounts.push({ id: 'b'.repeat(32), name: 'Other' });
	const asked: string[] = [];
	const answers = [
		'Acme',
		'',
		'mars',
		'eu',
		'track.acme.example',
		'open',
		'mail@acme.example',
		'acme-clicks',
		'https://hooks.example/alerts',
	];
	const ask = (question: string) => Promise.resolve(answers[asked.push(question) - 1] ?? '');
	operator.cloud.faultAt = (name) => (name === 'queues create' ? OUT_OF_ORDER : undefined);
	const { said } = await operator.deploy([], { ask });
	expect(said).toContain('Could not create the queue');
	expect(asked.map((question) => question.slice(0, 12))).toEqual([
		'Which one? ',
		'Name of the ',
		'Location of ',
		'Location of ',
		'Custom domai',
		'Who may sign',
		'Sender of em',
		'R2 bucket fo',
		'Webhook for ',
	]);
	expect(operator.cloud.state.databases).toMatchObject([{ jurisdiction: 'eu' }]);
	for (const line of [
		'SIGN_UP = "open"',
		'PUBLIC_URL = "https://track.acme.example"',
		'MAIL_FROM = "mail@acme.example"',
		'name = "MAIL"',
		'bucket_name = "acme-clicks"',
		'jurisdiction = "eu"',
		'custom_domain = true',
	])
		expect(operator.config()).toContain(line);
	asked.splice(0);
	answers.splice(0);
	await operator.deploy([], { ask });
	// Only the Worker has secrets, and it does not exist yet.
	expect(asked.map((question) => question.slice(0, 12))).toEqual(['Webhook for ']);
});

test('an answer may be "none", and a domain may be in capitals', async () => {
	operator = await startOperator();
	operator.cloud.accounts.push({ id: 'b'.repeat(32), name: 'Other' });
	const answers = ['', '3', '1', 'my shop', 'my-shop', 'none', 'Track.Acme.Example', 'invite', 'none', 'none', 'none'];
	let asked = 0;
	const ask = () => Promise.resolve(answers[asked++] ?? '');
	operator.cloud.faultAt = (name) => (name === 'queues create' ? OUT_OF_ORDER : undefined);
	const { said } = await operator.deploy([], { ask });
	expect(said).toContain('--name must be up to 40 lowercase letters, digits and dashes');
	expect([asked, said]).toEqual([answers.length, expect.stringContaining('Could not create the queue my-shop-')]);
	expect(operator.config()).toMatch(/PUBLIC_URL = "https:\/\/track.acme.example"[^]*pattern = "track.acme.example"/);
});

test('an account is found on any page of the list', async () => {
	operator = await startOperator();
	for (let count = 1; count <= 60; count += 1) operator.cloud.accounts.push({ id: String(count).padStart(32, '0'), name: `Shop ${count}` });
	expect(await operator.deploy(['--dry-run', '--account', 'Shop 60'])).toEqual({
		code: 0,
		said: expect.stringContaining('Account: Shop 60'),
	});
});

test("wrangler's own login is used, whatever else it prints", async () => {
	operator = await startOperator();
	const { url: CLOUDFLARE_API_BASE_URL, token } = operator.cloud;
	const json = JSON.stringify({ type: 'oauth', token });
	const warning = '▲ [WARNING] Processing wrangler.toml: unexpected { "fields" }';
	const wrangler = () => Promise.resolve({ code: 0, output: `${json}\n${warning}\n`, stdout: `Using vars defined in .env\n${json}\n` });
	const { code, said } = await operator.deploy(['--dry-run'], { env: { CLOUDFLARE_API_BASE_URL }, wrangler });
	expect([code, said]).toEqual([0, expect.stringContaining('Account: Acme')]);
});
