import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installPackedSdk, runIn } from '../sdk/packed-sdk.ts';
import { ROOT } from '../../testing/root.ts';
import { addNext } from './next.ts';

/** Records the calls that the guides' code makes to the Stripe and Paddle clients. */
const CALLS = 'calls.jsonl';

const STRIPE_STUB = `import { appendFileSync } from 'node:fs';
export default class Stripe {
	checkout = {
		sessions: {
			create: async (params) => {
				appendFileSync('${CALLS}', JSON.stringify({ of: 'stripe', params }) + '\\n');
				return { url: 'https://checkout.stripe.com/c/pay/cs_test_1' };
			},
		},
	};
}
`;

const PADDLE_STUB = `import { appendFileSync } from 'node:fs';
export class Paddle {
	transactions = {
		create: async (params) => {
			appendFileSync('${CALLS}', JSON.stringify({ of: 'paddle', params }) + '\\n');
			return { id: 'txn_1', checkout: { url: 'https://shop.example/pay?_ptxn=txn_1' } };
		},
	};
}
`;

/** The types that the guides use. */
const PADDLE_TYPES = `export declare class Paddle {
	constructor(apiKey: string);
	transactions: {
		create(transaction: {
			items: { priceId: string; quantity: number }[];
			customData?: Record<string, unknown> | null;
		}): Promise<{ id: string; checkout: { url: string | null } | null }>;
	};
}
`;

/** The guides' pages are checked against the types that integrators get. */
const PAGE_TYPES = "import type {} from 'affiliate-tracker/browser';\n";

/** Creates a backend's folder with the packed SDK, and typed fakes of the Stripe and Paddle clients. */
export async function makeProject(folder: string): Promise<void> {
	await installPackedSdk(folder);
	addClient(folder, 'stripe', { 'index.js': STRIPE_STUB });
	addClient(folder, '@paddle/paddle-node-sdk', { 'index.js': PADDLE_STUB, 'index.d.ts': PADDLE_TYPES });
	addNext(folder);
	writeFileSync(join(folder, 'page.d.ts'), PAGE_TYPES);
	writeFileSync(join(folder, CALLS), '');
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
		jsx: 'preserve',
		paths: {
			stripe: [join(ROOT, 'node_modules/stripe/esm/stripe.esm.node.d.ts')],
			react: [join(ROOT, 'node_modules/@types/react')],
			'react/jsx-runtime': [join(ROOT, 'node_modules/@types/react/jsx-runtime')],
		},
	};
	writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.js', '*.ts', 'lib', 'app'] }));
}

function addClient(folder: string, name: string, files: Readonly<Record<string, string>>): void {
	const client = join(folder, 'node_modules', name);
	mkdirSync(client, { recursive: true });
	writeFileSync(join(client, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }));
	for (const [file, text] of Object.entries(files)) writeFileSync(join(client, file), text);
}

export function addFile(folder: string, name: string, text: string): void {
	mkdirSync(dirname(join(folder, name)), { recursive: true });
	writeFileSync(join(folder, name), `${text}\n`);
}

/** The strict compiler's errors for all code in the guides; empty if there are none. */
export async function typeComplaints(folder: string): Promise<string> {
	const { code, output } = await runIn(folder, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.');
	return code === 0 ? '' : output;
}

export interface ClientCall {
	readonly of: 'paddle' | 'stripe';
	/** The parameters passed to create the session or transaction. */
	readonly params: Record<string, unknown>;
}

/** Returns the calls made since it was last called. */
export function takeCalls(folder: string): ClientCall[] {
	const file = join(folder, CALLS);
	const calls = readFileSync(file, 'utf8').split('\n').filter(Boolean);
	writeFileSync(file, '');
	return calls.map((line): ClientCall => JSON.parse(line));
}
