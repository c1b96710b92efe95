import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dataOf } from './demo/api.ts';
import { type DemoWorld, readDemoWorld, signIn } from './demo/world.ts';
import { GUIDES, readGuide } from './docs/guides.ts';
import { Failure, runScript } from '../testing/failure.ts';
import { freePort } from '../testing/free-port.ts';
import { openBrowser } from './try-docs/browser.ts';
import { tryGuide } from './try-docs/guide.ts';
import { SITE_TESTS, trySite } from './try-docs/site.ts';
import { makeProject, typeComplaints } from './try-docs/project.ts';
import { ROOT } from '../testing/root.ts';
import { exitOf } from '../testing/wrangler.ts';

// npm run test:docs [-- <guide> ...]: runs every snippet of the guides against a fresh service: commands in a shell, code in a backend
// project with the packed SDK, pages in Chromium. It compares the responses with those in the guides. Then it tests the docs site:
// search, buttons, colors.

const READY = 'Stop with Ctrl-C';
const READY_TIMEOUT_MS = 600_000;

await runScript(async () => {
	const wanted = process.argv.slice(2);
	const data = mkdtempSync(join(tmpdir(), 'affiliate-docs-'));
	const port = await freePort();
	const service = spawn('npm', ['run', 'dev', '--', '--port', String(port), '--persist-to', data], {
		cwd: ROOT,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const ended = exitOf(service);
	try {
		await ready(service, ended);
		const world = readDemoWorld(join(data, 'demo.json'));
		if (!world) throw new Failure('The demo world is missing');
		return await tryAll(
			world,
			data,
			GUIDES.filter((name) => wanted.length === 0 || wanted.includes(name)),
		);
	} finally {
		service.kill('SIGTERM');
		await Promise.race([ended, setTimeout(10_000)]);
		rmSync(data, { recursive: true, force: true });
	}
});

async function allowOrigins(world: DemoWorld, allowed_origins: readonly string[]): Promise<void> {
	await dataOf(world.url, `/api/v1/programs/${world.programId}`, {
		method: 'PATCH',
		token: await signIn(world),
		body: { allowed_origins },
	});
}

async function tryAll(world: DemoWorld, data: string, names: readonly string[]): Promise<number> {
	const project = join(data, 'my-backend');
	await makeProject(project);
	// The pages in the guides are on shop.example.
	await allowOrigins(world, ['https://shop.example', 'https://*.shop.example']);
	const browser = await openBrowser();
	let passed = 0;
	let failed = 0;
	const report = (what: string, failure?: unknown) => {
		if (failure === undefined) passed += 1;
		else failed += 1;
		const reason = failure === undefined ? '' : `: ${failure instanceof Error ? failure.message : JSON.stringify(failure)}`;
		console.log(`${failure === undefined ? 'ok   ' : 'FAIL '} ${what}${reason}`);
	};
	try {
		for (const name of names) {
			console.log(`\n${name}`);
			await tryGuide(readGuide(name), { world, data, project, browser, shopPort: await freePort() }, report);
		}
		console.log('\nthe pages');
		await allowOrigins(world, [world.url]);
		for (const test of SITE_TESTS) {
			await trySite(test, browser, world.url).then(
				() => report(test.title),
				(error: unknown) => report(test.title, error),
			);
		}
	} finally {
		await browser.close();
	}
	const complaints = await typeComplaints(project);
	report('the types of all code', complaints === '' ? undefined : new Failure(complaints));
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

async function ready(service: ChildProcess, ended: Promise<number>): Promise<void> {
	let output = '';
	for (const stream of [service.stdout, service.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
	const end = Date.now() + READY_TIMEOUT_MS;
	while (!output.includes(READY)) {
		const over = await Promise.race([ended.then(() => true), setTimeout(100, false)]);
		if (over || Date.now() > end) throw new Failure(`npm run dev did not become ready:\n${output}`);
	}
}
