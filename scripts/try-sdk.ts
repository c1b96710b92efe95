import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, runScript } from './failure.ts';
import { installPackedSdk, runIn } from './packed-sdk.ts';
import { readmeBlocks } from './readme-commands.ts';
import { ROOT } from './wrangler.ts';

// npm run test:sdk: what `npm pack` makes, installed in an empty TypeScript project, type-checked there and run by plain Node.

const KEY = 'prg_of_the_packed_sdk';

/** Settings that a project may have, each without anything of ours. */
const PROJECTS = {
	'as tsc --init makes it': { module: 'nodenext', target: 'esnext' },
	'for a bundler': { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', exactOptionalPropertyTypes: true },
	'without DOM types': { module: 'nodenext', target: 'es2022', lib: ['es2022'] },
} as const;

/** Right and wrong uses of every call; needs no globals but those of the language. */
const USES = `
import { clickIdFrom, type SaleReceipt, stripeMetadata, Tracker, TrackerError, type TrackedEvent } from 'affiliate-tracker/sdk';

const tracker = new Tracker({ baseUrl: 'https://track.example', apiKey: 'prg_1', sessionToken: undefined });

export async function uses(): Promise<string | undefined> {
	const sale: SaleReceipt = await tracker.sale({ transaction_id: 'a', amount_cents: 1, customer_key: clickIdFrom('a=b') });
	if (sale.recorded && !sale.duplicate && !sale.data) return String(sale.sale_id.toFixed());
	// @ts-expect-error The amount is a number.
	await tracker.sale({ transaction_id: 'a', amount_cents: '1' });
	// @ts-expect-error There is no such field.
	await tracker.sale({ transaction_id: 'a', amount_cents: 1, customerKey: 'a' });
	// @ts-expect-error Only in test mode may the id and the amount be left out.
	await tracker.sale({ customer_key: 'a' });
	await tracker.sale({ additional_data: { test_mode: true } });
	await tracker.lead({ click_id: clickIdFrom({ headers: { cookie: 'a=b' } }) });
	const refund = await tracker.refund({ transaction_id: 'a' });
	// @ts-expect-error Only some refunds have it.
	refund.deductionAmount.toFixed();
	if (refund.status === 'reversed') refund.deductionAmount.toFixed();
	for await (const event of tracker.events({ type: 'refund' })) if (event.type === 'refund') return cents(event).toFixed();
	const { data, metrics } = await tracker.performance(1, { period: '30d' });
	return data[0]?.date ?? metrics.clicksTrend.trendDirection;
}

function cents(event: Extract<TrackedEvent, { type: 'refund' }>): number {
	return event.deduction_cents ?? event.amount_cents;
}

export const keys: string[] = Object.keys(stripeMetadata('subscription', { program_id: 1 }).subscription_data.metadata);
export const kind = (error: unknown) => (error instanceof TrackerError && error.kind === 'timeout' ? error.mayBeRecorded : undefined);
`;

/** A sale whose first try loses its connection, whose second fails, and whose third says that it is there. */
const PROGRAM = `
import { Tracker } from 'affiliate-tracker/sdk';
const tracker = new Tracker({ baseUrl: process.argv[2], apiKey: '${KEY}', retryDelayMs: 1 });
const sale = await tracker.sale({ transaction_id: 'order-1', amount_cents: 100, customer_key: 'user-1' });
const { name } = await tracker.status();
console.log(JSON.stringify({ ...sale, name }), tracker);
`;

let passed = 0;
let failed = 0;

await runScript(async () => {
	const project = mkdtempSync(join(tmpdir(), 'affiliate-sdk-'));
	try {
		const folder = await check('npm pack makes a tarball that npm installs without a registry', () => installPackedSdk(project));
		if (folder !== undefined) await tryPackage(project, folder);
	} finally {
		rmSync(project, { recursive: true, force: true });
	}
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
});

async function tryPackage(project: string, folder: string): Promise<void> {
	await check('it holds the SDK and nothing else, and needs nothing else', async () => {
		const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
		const foreign = files.filter((file) =>
			file.parentPath === folder ? !['LICENSE', 'README.md', 'package.json'].includes(file.name) : !/\.(js|d\.ts)$/.test(file.name),
		);
		expect(foreign.length === 0, `these are no part of it: ${foreign.map(({ name }) => name).join(', ')}`);
		const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
		expect(installed.join() === 'affiliate-tracker', `these came with it: ${installed.join(', ')}`);
	});
	for (const [name, options] of Object.entries(PROJECTS)) {
		await check(`its types hold in a strict project ${name}`, () => typeCheck(project, options, { 'uses.ts': USES }));
	}
	await check('the code of the README type-checks', async () => {
		const code = readmeBlocks('From your backend', 'ts').join('');
		expect(code !== '', 'the README has no such code');
		await typeCheck(project, PROJECTS['as tsc --init makes it'], { 'readme.ts': code });
	});
	await check('plain Node runs it, through a lost connection and a fault, and never shows the key', () => run(project));
}

async function typeCheck(project: string, options: object, files: Readonly<Record<string, string>>): Promise<void> {
	for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
	const compilerOptions = { ...options, strict: true, skipLibCheck: false, types: [], noEmit: true };
	writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
	const { code, output } = await runIn(project, join(ROOT, 'node_modules/.bin/tsc'), '-p', project);
	expect(code === 0, `tsc said:\n${output}`);
}

async function run(project: string): Promise<void> {
	writeFileSync(join(project, 'program.js'), PROGRAM);
	const { server, url, seen } = await startService();
	try {
		const { code, output } = await runIn(project, process.execPath, 'program.js', url);
		const recorded = '"recorded":true,"duplicate":true,"sale_id":null,"commission_id":null';
		expect(code === 0 && output.includes(recorded) && output.includes('"name":"A program"'), `it wrote:\n${output}`);
		expect(!output.includes(KEY), `the key shows in:\n${output}`);
		expect(seen.join() === 'sale,sale,sale,status', `the service saw: ${seen.join()}`);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

/** A stand-in for the service that has a bad day. */
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
			if (typeof address !== 'object' || !address) reject(new Failure('The stand-in has no port.'));
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
