import type { Example, Operation } from '../../src/openapi/operation.ts';
import { OPERATIONS } from '../../src/openapi/operations.ts';
import type { Recorded } from '../../src/openapi/responses.ts';
import { signedBy } from './signers.ts';
import { BASE, type PreparedWorld } from './world.ts';

export interface Sent extends Recorded {
	readonly operation: Operation;
	readonly response: Response;
	readonly text: string;
}

/** Sends every example in the document's order. `pathOf` picks one of an operation's paths. */
export async function* sendExamples(world: PreparedWorld, pathOf = (operation: Operation) => operation.path): AsyncGenerator<Sent> {
	for (const operation of OPERATIONS) {
		for (const example of operation.examples) yield send(world, operation, example, pathOf(operation));
	}
}

async function send(world: PreparedWorld, operation: Operation, example: Example, path: string): Promise<Sent> {
	const sent = bodyOf(world, example);
	const response = await world.service.fetch(requestOf(world, { ...operation, path }, example, tokenOf(world, operation, example)));
	const text = await response.text();
	const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '');
	const answer: unknown = isJson ? JSON.parse(text) : text;
	return { operationId: operation.id, operation, example, sent, status: response.status, response, text, answer };
}

function bodyOf(world: PreparedWorld, example: Example): unknown {
	return example.bodyIn ? example.bodyIn(world) : example.body;
}

export function requestOf(
	world: PreparedWorld,
	{ method, path }: Pick<Operation, 'method' | 'path'>,
	example: Example,
	token: string | undefined,
): Request {
	const sent = bodyOf(world, example);
	const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => String(example.params?.[name]));
	const query = example.query ? `?${new URLSearchParams({ ...example.query }).toString()}` : '';
	const body = sent === undefined ? undefined : JSON.stringify(sent);
	const { signedBy: signer } = example;
	return new Request(`${BASE}${filled}${query}`, {
		method: method.toUpperCase(),
		headers: {
			'User-Agent': 'Mozilla/5.0',
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
			...(signer === undefined || body === undefined ? {} : signedBy(signer, body)),
			...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
			...example.headers,
		},
		...(body === undefined ? {} : { body }),
	});
}

function tokenOf({ tokens }: PreparedWorld, { caller }: Operation, { as }: Example): string | undefined {
	if (as !== undefined) return as === 'nobody' ? undefined : tokens[as];
	if (caller === 'session') return tokens.owner;
	return caller === 'key' ? tokens.key : undefined;
}

export function statusOf({ example, operation }: Sent): number {
	return example.status ?? Number(Object.keys(operation.answers)[0]);
}
