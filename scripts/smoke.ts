import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { call } from './demo/api.ts';
import { Days } from './demo/days/open-days.ts';
import { readDemoWorld } from './demo/world.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { freePort, isFree } from '../testing/free-port.ts';
import { installPackedSdk, runIn } from './sdk/packed-sdk.ts';
import { README_CODE, readmeBlocks, readmeCommands } from './readme-commands.ts';
import { ROOT } from '../testing/root.ts';
import { exitOf } from '../testing/wrangler.ts';

// npm run smoke: a newcomer's first steps on a fresh database: start, paste the commands, run the demo, stop, start with ninety days, run
// the demo again.

/** Guards against hangs only: a busy machine may be ten times slower. */
const STEP_TIMEOUT_MS = 600_000;
const READY = 'Stop with Ctrl-C';
/** A characteristic part of each response that the README shows or mentions. */
const README_SIGNS = [
	'"cookie_window_days":60',
	'"message":"Lead recorded"',
	'"message":"Sale recorded and commission created."',
	'"status":"refunded","deductionAmount":6.6',
];
/** The same for the output of the README's SDK code. */
const SDK_SIGNS = [
	'lead true',
	'sale true false',
	'again true',
	'refund reversed',
	"subscription_data: {\n    metadata: {\n      tracker_customer_key: 'user-1002'",
];

interface Running {
	readonly child: ChildProcess;
	readonly ended: Promise<number>;
	/** The output so far. */
	readonly output: () => string;
}

const started = new Set<ChildProcess>();
let passed = 0;
let failed = 0;

/** What the README's code expects to exist: a visitor's request with a click, the user, and a Stripe client. */
const SHOP = `
const user = { id: 'user-1002' };
const request = new Request('https://shop.example/sign-up', { headers: { Cookie: 'tracker_click_id=cust_...' } });
const cart = { line_items: [{ price: 'price_1', quantity: 1 }] };
const stripe = { checkout: { sessions: { create: async (params) => params } } };
`;
const SHOPPING = `
console.log('lead', (await signedUp(request, user.id)).attributed);
const sale = await paid('order-1002', 9900, user.id);
console.log('sale', sale.recorded, sale.duplicate);
console.log('again', (await paid('order-1002', 9900, user.id)).duplicate);
console.log('refund', (await refunded('order-1002', 'refund-1')).status);
console.log(session);
`;

await runScript(async () => {
	const data = mkdtempSync(join(tmpdir(), 'affiliate-smoke-'));
	try {
		await smoke(data, await freePort());
	} finally {
		for (const child of started) child.kill('SIGTERM');
		await Promise.race([Promise.all([...started].map((child) => exitOf(child))), setTimeout(10_000)]);
		rmSync(data, { recursive: true, force: true });
	}
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
});

async function smoke(data: string, port: number): Promise<void> {
	const where = ['--persist-to', data];
	const start = async (...more: string[]) => {
		const running = npm('dev', '--port', String(port), ...where, ...more);
		await Promise.race([until(() => running.output().includes(READY)), running.ended]);
		expect(running.output().includes(READY), `npm run dev did not become ready:\n${running.output()}`);
		return running;
	};
	const stop = async ({ child, ended, output }: Running) => {
		child.kill('SIGTERM');
		expect((await ended) === 0, `npm run dev did not exit with code 0:\n${output()}`);
		expect(await isFree(port), 'the port is still in use');
	};
	const demo = async (script = 'demo', ...more: string[]) => {
		const { ended, output } = npm(script, ...where, ...more);
		expect((await ended) === 0, `npm run ${script} failed:\n${output()}`);
	};

	const first = await check('npm run dev starts on an empty database', start);
	if (!first) return;
	await check('only their owner can read the credentials', async () => {
		expect((statSync(join(data, 'demo.json')).mode & 0o077) === 0, 'others can read demo.json');
	});
	await check('the printed commands record a sale', async () => {
		const commands = first.output().match(/^CLICK=[^]*?"\$CLICK"$|^curl [^]*?\}'$/gm) ?? [];
		const { ended, output } = run('sh', ['-ec', commands.join('\n')]);
		expect((await ended) === 0 && output().includes('Sale recorded and commission created.'), `the output was:\n${output()}`);
	});
	await check('the commands of the README work as it says', async () => {
		const world = readDemoWorld(join(data, 'demo.json'));
		const given = { BASE: world?.url, KEY: world?.apiToken };
		const { ended, output } = run('sh', ['-e'], { cwd: data, env: given, input: readmeCommands('The funnel in four calls') });
		expect((await ended) === 0, `they failed:\n${output()}`);
		for (const sign of README_SIGNS) expect(output().includes(sign), `${sign} is missing in:\n${output()}`);
		expect(!output().includes('"error"'), `one was refused:\n${output()}`);
	});
	await check('the packed and installed SDK works as the README says', () => trySdk(data));
	await check('npm run demo completes the funnel', demo);
	for (const by of ['stripe', 'paddle', 'custom']) await check(`npm run demo:stripe: ${by}`, () => demo('demo:stripe', '--processor', by));
	await check('npm run dev shows each webhook, and Vite never calls the Worker before it is ready', async () => {
		for (const by of ['stripe', 'paddle', 'custom'])
			expect(new RegExp(`${by} webhook \\S+ \\S+: accepted`).test(first.output()), `no webhook of ${by} in:\n${first.output()}`);
		expect(!first.output().includes('proxy error'), `the output was:\n${first.output()}`);
	});
	await check('npm run example sells a teapot, and the partner earns a commission', async () => {
		const shopPort = await freePort();
		const { child, ended, output } = npm('example', '--port', String(shopPort), ...where);
		await Promise.race([until(() => output().includes(READY)), ended]);
		await buyTeapot(`http://localhost:${shopPort}`, `http://127.0.0.1:${port}/r/demo`);
		expect(output().includes('The partner has earned commission'), `the output was:\n${output()}`);
		child.kill('SIGTERM');
		expect((await ended) === 0, `it failed:\n${output()}`);
		const landing = await landingOf(`http://127.0.0.1:${port}/r/demo`);
		expect(landing.startsWith('http://localhost:3000/'), `it left the link pointing to ${landing}`);
	});
	await check('npm run example uses another port if its own is in use, and changes nothing if it cannot open', async () => {
		const busy = createServer();
		const taken = await new Promise<number>((resolve) => {
			busy.once('error', () => resolve(0));
			busy.listen(3000, () => resolve(3000));
		});
		const { child, ended, output } = npm('example', ...where);
		await Promise.race([until(() => output().includes(READY)), ended]);
		expect(/The shop is open: http:\/\/localhost:30(0[1-9]|1\d|20)\//.test(output()), `the output was:\n${output()}`);
		child.kill('SIGINT');
		await ended;
		if (taken === 0) return;
		const refused = npm('example', '--port', String(taken), ...where);
		expect((await refused.ended) === 1 && refused.output().includes(`Port ${taken} is in use`), `the output was:\n${refused.output()}`);
		expect((await landingOf(`http://127.0.0.1:${port}/r/demo`)).startsWith('http://localhost:3000/'), 'the link now points elsewhere');
		busy.close();
	});
	await check('npm run recover prints a reset link, and its command works once', () => recoverPassword(data));
	await check('a second npm run dev on the same port says that it is in use', async () => {
		const { ended, output } = npm('dev', '--port', String(port), ...where);
		expect((await ended) === 1 && output().includes(`Port ${port} on 127.0.0.1 is in use`), `the output was:\n${output()}`);
	});
	await check('it stops on a signal, with code 0', () => stop(first));
	await check('npm run demo says that the service is not running', async () => {
		const { ended, output } = npm('demo', ...where);
		expect((await ended) === 1 && output().includes('Start the service first'), `the output was:\n${output()}`);
	});

	const before = readFileSync(join(data, 'demo.json'), 'utf8');
	const second = await check('npm run dev -- --demo starts again on the same data', () => start('--demo'));
	if (!second) return;
	await check('the ninety days of a shop exist, and their owner can sign in', async () => {
		const { email, password, programId } = Days.parse(JSON.parse(readFileSync(join(data, 'demo-days.json'), 'utf8')));
		const { status } = await call(`http://127.0.0.1:${port}`, '/api/v1/auth/sign-in', { body: { email, password } });
		expect(status === 200 && programId > 1, `${email} cannot: ${status}`);
	});
	await check('it kept the demo program', async () => {
		expect(second.output().includes('the demo program of an earlier start'), second.output());
		expect(readFileSync(join(data, 'demo.json'), 'utf8') === before, 'demo.json has changed');
	});
	await check('npm run demo completes the funnel again', demo);
	await check('it stops again', () => stop(second));
}

/** Runs the README's code with the values that a reader fills in. */
async function trySdk(data: string): Promise<void> {
	const project = join(data, 'backend');
	await installPackedSdk(project);
	const world = readDemoWorld(join(data, 'demo.json'));
	if (!world) throw new Failure('The demo world is missing');
	const clicked = await call(world.url, '/api/v1/track/click', { body: { affiliate_url: `https://shop.example/?aff=${world.shortLink}` } });
	const filledIn = [SHOP, ...README_CODE.flatMap((title) => readmeBlocks(title, 'ts')), SHOPPING]
		.join('')
		.replace('http://127.0.0.1:8787', world.url)
		.replace('prg_...', world.apiToken)
		.replace('cust_...', String(clicked.body['click_id']));
	writeFileSync(join(project, 'backend.ts'), filledIn);
	const { code: exitCode, output } = await runIn(project, process.execPath, 'backend.ts');
	expect(exitCode === 0, `it failed:\n${output}`);
	for (const sign of SDK_SIGNS) expect(output.includes(sign), `${sign} is missing in:\n${output}`);
}

/** Runs the printed commands. It sets the same password again, because the demo still uses it. */
async function recoverPassword(data: string): Promise<void> {
	const recover = async (email: string) => {
		const { ended, output } = npm('recover', '--email', email, '--persist-to', data);
		return { code: await ended, text: output() };
	};
	const world = readDemoWorld(join(data, 'demo.json'));
	if (!world) throw new Failure('The demo world is missing');
	const { code, text } = await recover(world.email.toUpperCase());
	const command = /^curl [^]*?\}'$/m.exec(text)?.[0].replace('"..."', JSON.stringify(world.password));
	expect(code === 0 && command !== undefined, `the output was:\n${text}`);
	for (const answer of ['{"success":true,"data":{"user":', '{"error":"token is unknown, already used or expired']) {
		const { ended, output } = run('sh', ['-ec', String(command)]);
		expect((await ended) === 0 && output().includes(answer), `the output was:\n${output()}`);
	}
	const nobody = await recover('nobody@people.example');
	expect(nobody.code === 1 && nobody.text.includes('No active person has the address'), `the output was:\n${nobody.text}`);
}

/** Buys as a browser would once the script has stored the click in the cookie. */
async function buyTeapot(shop: string, link: string): Promise<void> {
	const landing = await landingOf(link);
	expect(landing.startsWith(`${shop}/?`), `the link points to ${landing}`);
	const click = new URL(landing).searchParams.get('tracker_click_id');
	const page = await (await fetch(landing)).text();
	expect(page.includes('/tracker.js"'), `the page is:\n${page}`);
	const signUp = await fetch(`${shop}/sign-up`, {
		method: 'POST',
		redirect: 'manual',
		headers: { Cookie: `tracker_click_id=${click}` },
		body: new URLSearchParams({ email: 'visitor@example.com' }),
	});
	const [cookie = ''] = signUp.headers.getSetCookie();
	await fetch(`${shop}/buy`, { method: 'POST', redirect: 'manual', headers: { Cookie: cookie.split(';')[0] ?? '' } });
}

/** The page that a referral link redirects to. */
async function landingOf(link: string): Promise<string> {
	const redirect = await fetch(link, { redirect: 'manual', headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } });
	return redirect.headers.get('Location') ?? '';
}

async function check<Result>(title: string, work: () => Promise<Result>): Promise<Result | undefined> {
	const timeout = setTimeout(STEP_TIMEOUT_MS, undefined, { ref: false }).then(() => {
		throw new Failure(`not finished after ${STEP_TIMEOUT_MS / 1000} seconds`);
	});
	try {
		const result = await Promise.race([work(), timeout]);
		passed += 1;
		console.log(`ok    ${title}`);
		return result;
	} catch (error) {
		failed += 1;
		console.log(`FAIL  ${title}: ${error instanceof Error ? error.message : String(error)}`);
		return undefined;
	}
}

function npm(script: string, ...args: string[]): Running {
	return run('npm', ['run', script, '--', ...args]);
}

interface Surroundings {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string | undefined>>;
	readonly input?: string;
}

function run(command: string, args: string[], { cwd = ROOT, env = {}, input = '' }: Surroundings = {}): Running {
	const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
	started.add(child);
	child.stdin.end(input);
	let text = '';
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
	const ended = exitOf(child).finally(() => started.delete(child));
	return { child, ended, output: () => text };
}

async function until(isTrue: () => boolean): Promise<void> {
	while (!isTrue()) await setTimeout(100);
}

function expect(isTrue: boolean, complaint: string): void {
	if (!isTrue) throw new Failure(complaint);
}
