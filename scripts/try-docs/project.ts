import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackedSdk, runIn } from '../sdk/packed-sdk.ts';
import { ROOT } from '../../testing/root.ts';

/** What the guides' code asked of Stripe's client. */
const STRIPE_CALLS = 'stripe-calls.jsonl';

const STRIPE_STUB = `import { appendFileSync } from 'node:fs';
export default class Stripe {
	checkout = {
		sessions: {
			create: async (params) => {
				appendFileSync('${STRIPE_CALLS}', JSON.stringify(params) + '\\n');
				return { url: 'https://checkout.stripe.com/c/pay/cs_test_1' };
			},
		},
	};
}
`;

const PAGE_TYPES = `interface Window {
	tracker(command: string, ...rest: unknown[]): unknown;
}
`;

/** A backend's folder with the packed SDK in it, and a stand-in of Stripe's client that has its types. */
export async function makeProject(folder: string): Promise<void> {
	await installPackedSdk(folder);
	const stripe = join(folder, 'node_modules/stripe');
	mkdirSync(stripe, { recursive: true });
	writeFileSync(join(stripe, 'package.json'), '{ "name": "stripe", "type": "module", "exports": "./index.js" }\n');
	writeFileSync(join(stripe, 'index.js'), STRIPE_STUB);
	writeFileSync(join(folder, 'page.d.ts'), PAGE_TYPES);
	writeFileSync(join(folder, STRIPE_CALLS), '');
	const compilerOptions = {
		target: 'es2024',
		lib: ['es2024', 'dom', 'dom.iterable'],
		module: 'esnext',
		moduleResolution: 'bundler',
		moduleDetection: 'force',
		allowJs: true,
		checkJs: true,
		strict: true,
		noEmit: true,
		skipLibCheck: true,
		types: ['node'],
		typeRoots: [join(ROOT, 'node_modules/@types')],
		paths: { stripe: [join(ROOT, 'node_modules/stripe/esm/stripe.esm.node.d.ts')] },
	};
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.js', 'page.d.ts'] }));
}

export function addFile(folder: string, name: string, text: string): void {
	writeFileSync(join(folder, name), `${text}\n`);
}

/** The compiler's complaints about all code of the guides, as strict as it can be; empty where there are none. */
export async function typeComplaints(folder: string): Promise<string> {
	const { code, output } = await runIn(folder, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.');
	return code === 0 ? '' : output;
}

/** The parameters of the sessions that were made since the last time. */
export function takeStripeCalls(folder: string): Record<string, unknown>[] {
	const file = join(folder, STRIPE_CALLS);
	const calls = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	writeFileSync(file, '');
	return calls.map((line): Record<string, unknown> => JSON.parse(line));
}
