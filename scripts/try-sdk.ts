import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Failure, runScript } from '../testing/failure.ts';
import { installPackedSdk, runIn } from './sdk/packed-sdk.ts';
import { blocksOf, README_CODE, readmeBlocks } from './readme-commands.ts';
import { PAGE, type Project, PROJECTS, USES } from './sdk/projects.ts';
import { ROOT } from '../testing/root.ts';

// npm run test:sdk: installs the packed SDK in an empty project, type-checks it there with every moduleResolution, and runs it with
// plain Node.

const KEY = 'prg_of_the_packed_sdk';
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const OLD_TSC = join(ROOT, 'scripts/old-typescript/node_modules/typescript/bin/tsc');

/** Types of Next.js, which the examples use. */
const NEXT =
	"declare module 'next/headers' { export function cookies(): Promise<{ get(name: string): { name: string; value: string } | undefined }>; }\n";

/** What the README's code expects to exist. */
const SHOP = `
declare const request: Request, user: { readonly id: string }, cart: { readonly line_items: readonly object[] };
declare const stripe: { readonly checkout: { readonly sessions: { create(params: {
	mode: 'subscription'; line_items: readonly object[]; metadata: Record<string, string>; subscription_data: { metadata: Record<string, string> };
}): Promise<{ url: string | null }> } } };
`;

/** Reports a sale: the first attempt loses its connection, the second fails, and the third reports a duplicate. */
const PROGRAM = `
(async () => {
const tracker = new Tracker({ baseUrl: process.argv[2], apiKey: '${KEY}', retryDelayMs: 1 });
const sale = await tracker.sale({ transaction_id: 'order-1', amount_cents: 100, customer_key: 'user-1' });
const { name } = await tracker.status();
console.log(JSON.stringify({ ...sale, name }), tracker);
})();
`;

/** The ways to load the SDK in plain Node. */
const PROGRAMS = {
	'program.js': `import { Tracker } from 'affiliate-tracker/sdk';${PROGRAM}`,
	'program.cjs': `const { Tracker } = require('affiliate-tracker/sdk');${PROGRAM}`,
	'by-its-name.cjs': `const { Tracker } = require('affiliate-tracker');${PROGRAM}`,
} as const;

/** The files in the tarball other than code. */
const BESIDE = ['LICENSE', 'README.md', 'package.json', 'browser.d.ts', 'cjs/package.json', 'sdk/package.json'];

let passed = 0;
let failed = 0;

await runScript(async () => {
	if (!existsSync(OLD_TSC))
		throw new Failure('The TypeScript with moduleResolution node10 is missing. Run npm ci --prefix scripts/old-typescript');
	const project = mkdtempSync(join(tmpdir(), 'affiliate-sdk-'));
	try {
		const folder = await check('npm run pack:sdk creates a tarball that npm installs without a registry', () => installPackedSdk(project));
		if (folder !== undefined) await tryPackage(project, folder);
	} finally {
		rmSync(project, { recursive: true, force: true });
	}
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
});

async function tryPackage(project: string, folder: string): Promise<void> {
	await check('it contains only the SDK and has no dependencies', async () => {
		const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
		const foreign = files
			.map((file) => relative(folder, join(file.parentPath, file.name)))
			.filter((name) => !BESIDE.includes(name) && !/^(esm|cjs)\/[a-z-]+\.(js|d\.ts)$/.test(name));
		expect(foreign.length === 0, `unexpected files: ${foreign.join(', ')}`);
		const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
		expect(installed.join() === 'affiliate-tracker', `unexpected packages: ${installed.join(', ')}`);
		const own = readFileSync(join(folder, 'README.md'), 'utf8');
		expect(own !== readFileSync(join(ROOT, 'README.md'), 'utf8') && own.includes('npm install'), 'its README is that of the service');
	});
	for (const [name, settings] of Object.entries(PROJECTS)) {
		await check(`its types are valid in a strict project ${name}`, () => typeCheck(project, settings, { 'uses.ts': USES }));
		if ('lib' in settings.options) continue;
		await check(`the types of window.tracker are valid ${name}`, () => typeCheck(project, settings, { 'page.ts': PAGE }));
	}
	for (const [where, blocks] of [
		['the README', [[SHOP, ...README_CODE.flatMap((title) => readmeBlocks(title, 'ts'))].join('')]],
		['its own README', blocksOf(readFileSync(join(folder, 'README.md'), 'utf8'), 'ts')],
	] as const) {
		await check(`the code of ${where} type-checks`, async () => {
			expect(blocks.length > 0, 'it has no code');
			const files = Object.fromEntries(blocks.map((code, index) => [`readme-${index}.ts`, code]));
			await typeCheck(project, PROJECTS['as tsc --init makes it'], { 'next.d.ts': NEXT, ...files });
		});
	}
	for (const [name, program] of Object.entries(PROGRAMS)) {
		await check(`plain Node runs ${name}: it retries after a lost connection and an error, and never prints the key`, () =>
			run(project, name, program),
		);
	}
	await check('the error for a missing key says what to set', async () => {
		writeFileSync(join(project, 'unset.cjs'), "new (require('affiliate-tracker/sdk').Tracker)({ baseUrl: 'https://track.example' })");
		const { code, output } = await runIn(project, process.execPath, 'unset.cjs');
		expect(code !== 0 && output.includes('apiKey') && output.includes('TRACKER_KEY'), `the output was:\n${output}`);
	});
}

async function typeCheck(project: string, { options, type, isOld }: Project, files: Readonly<Record<string, string>>): Promise<void> {
	const folder = mkdtempSync(join(project, 'typed-'));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: type ?? 'module' }));
	const compilerOptions = { ...options, strict: true, skipLibCheck: false, types: [], noEmit: true };
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
	const { code, output } = await runIn(folder, process.execPath, isOld ? OLD_TSC : TSC, '-p', folder);
	expect(code === 0, `tsc failed:\n${output}`);
}

async function run(project: string, name: string, program: string): Promise<void> {
	writeFileSync(join(project, name), program);
	const { server, url, seen } = await startService();
	try {
		const { code, output } = await runIn(project, process.execPath, name, url);
		const recorded = '"recorded":true,"duplicate":true,"differs":[],"sale_id":null,"commission_id":null';
		expect(code === 0 && output.includes(recorded) && output.includes('"name":"A program"'), `the output was:\n${output}`);
		expect(!output.includes(KEY), `the output contains the key:\n${output}`);
		expect(seen.join() === 'sale,sale,sale,status', `the service received: ${seen.join()}`);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

/** A fake service that fails on the first two calls. */
function startService(): Promise<{ readonly server: Server; readonly url: string; readonly seen: string[] }> {
	const seen: string[] = [];
	const server = createServer((request, response) => {
		const answer = (status: number, body: object) =>
			response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
		if (request.headers.authorization !== `Bearer ${KEY}`) return void answer(401, { error: 'Invalid API key' });
		seen.push(request.url?.split('/').at(-1) ?? '');
		if (request.url === '/api/v1/cli/status') return void answer(200, { success: true, program_id: 1, name: 'A program', checks: [] });
		if (seen.length === 1) return void request.destroy();
		if (seen.length === 2) return void answer(500, { error: 'Failed to create commission' });
		answer(409, { error: 'Duplicate transaction_id. This sale has already been recorded.', message: 'The sale is recorded.' });
	});
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			if (typeof address !== 'object' || !address) reject(new Failure('The fake service has no port.'));
			else resolve({ server, url: `http://127.0.0.1:${address.port}`, seen });
		});
	});
}

async function check<Result>(title: string, work: () => Promise<Result>): Promise<Result | undefined> {
	try {
		const result = await work();
		passed += 1;
		console.log(`ok    ${title}`);
		return result;
	} catch (error) {
		failed += 1;
		console.log(`FAIL  ${title}: ${error instanceof Error ? error.message : String(error)}`);
		return undefined;
	}
}

function expect(isTrue: boolean, complaint: string): void {
	if (!isTrue) throw new Failure(complaint);
}
