import { beforeAll, describe, expect, test } from 'vitest';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { sendExamples, statusOf } from '../../testing/openapi/send-examples.ts';
import { openService } from '../../testing/service/service.ts';
import { prepareWorld } from '../../testing/openapi/world.ts';
import { OPERATIONS } from '../../src/openapi/operations.ts';

// Decision 39 for every route: sends the document's examples, each with one extra unknown parameter.

const answers = new Map<string, string>();

beforeAll(async () => {
	const world = await prepareWorld(openService(nodeBindings()));
	const { service } = world;
	const fetch = (request: Request) => {
		const url = new URL(request.url);
		url.searchParams.append('dateForm', '2026-01-01');
		return service.fetch(new Request(url, request));
	};
	for await (const sent of sendExamples({ ...world, service: { ...service, fetch } })) {
		const { operation, example, status, text } = sent;
		answers.set(`${operation.id} ${example.name}`, status === 400 ? text : `${status === statusOf(sent) ? 'as ever' : status}`);
	}
}, 60_000);

const OWN = /^\/api\/(v1\/(?!track\/)|tracking\/events)/;
const examples = OPERATIONS.flatMap(({ id, path, examples: of }) =>
	of.filter(({ status = 200 }) => status < 300).map(({ name }) => ({ path, of: `${id} ${name}` })),
);

describe('an unknown query parameter', () => {
	test.each(examples.filter(({ path }) => OWN.test(path)))('is refused by name: $of', ({ of }) => {
		expect(answers.get(of)).toBe('{"error":"Unknown query parameter: dateForm"}');
	});

	test.each(examples.filter(({ path }) => !OWN.test(path)))("is ignored on the contract's routes: $of", ({ of }) => {
		expect(answers.get(of)).toBe('as ever');
	});
});
