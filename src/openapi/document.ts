import { addBody, describedJson } from './fields.ts';
import { INFO } from './info.ts';
import type { Components } from './json-schema.ts';
import type { BodyDoc, Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { DUPLICATE, EARNINGS_OWED, ERROR, type Json, type Recorded, responsesOf, sharedResponses } from './responses.ts';
import { TAGS } from './tags.ts';

// Builds the OpenAPI document from the routes' descriptions and their zod schemas.

export function buildDocument(recorded: readonly Recorded[]): Json {
	const components: Components = { Error: ERROR, DuplicateTransaction: DUPLICATE, EarningsOwed: EARNINGS_OWED };
	const paths: Record<string, Record<string, Json>> = {};
	for (const operation of OPERATIONS) {
		const { method, path, legacyPath } = operation;
		const described = describe(
			operation,
			components,
			recorded.filter(({ operationId }) => operationId === operation.id),
		);
		(paths[pathOf(path)] ??= {})[method] = described;
		if (legacyPath !== undefined) (paths[pathOf(legacyPath)] ??= {})[method] = { ...described, ...legacy(operation) };
	}
	return {
		...INFO,
		tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
		paths,
		components: {
			securitySchemes: SECURITY_SCHEMES,
			responses: sharedResponses(),
			schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
		},
	};
}

export function pathOf(path: string): string {
	return path.replaceAll(/:(\w+)/g, '{$1}');
}

const SECURITY_SCHEMES = {
	programKey: {
		type: 'http',
		scheme: 'bearer',
		description:
			'The program key (`api_token`), of the form `prg_...`. Use it in backends and command lines, never in web pages. It authorizes only its own program.',
	},
	sessionToken: {
		type: 'http',
		scheme: 'bearer',
		description: 'The session token of a signed-in person, of the form `ses_...`. Sign-in returns it; it lasts 30 days.',
	},
	sessionCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: '__Host-tracker_session',
		description:
			'The same session for pages of this service, set by a sign-in with `cookie`. Requests that change something must come from such a page, according to `Origin` and `Sec-Fetch-Site`. If a token is sent too, it is used instead.',
	},
} as const;

const SECURITY = {
	anybody: [],
	key: [{ programKey: [] }],
	'key or anybody': [{}, { programKey: [] }],
	session: [{ sessionToken: [] }, { sessionCookie: [] }],
	'session or anybody': [{}, { sessionToken: [] }, { sessionCookie: [] }],
} as const satisfies Record<Operation['caller'], readonly object[]>;

function describe(operation: Operation, components: Components, recorded: readonly Recorded[]): Json {
	const { body } = operation;
	return {
		operationId: operation.id,
		tags: [operation.tag],
		summary: operation.summary,
		description: operation.description,
		security: SECURITY[operation.caller],
		...parametersOf(operation, components),
		...(body && { requestBody: requestBodyOf(body, components, recorded) }),
		responses: responsesOf(operation, components, recorded),
	};
}

function legacy({ id, method, path }: Operation): Json {
	return {
		operationId: `legacy${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
		tags: ['Legacy paths'],
		description: `The same as \`${method.toUpperCase()} ${path}\`, for earlier clients.`,
		deprecated: true,
	};
}

const NUMBER = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

function parametersOf({ params = {}, query, headers = {}, cookies = {}, examples }: Operation, components: Components): Json {
	const parameters = [
		...Object.entries(params).map(([name, param]) => ({
			name,
			in: 'path',
			required: true,
			...(typeof param === 'string' ? { description: param, schema: NUMBER } : { description: param.text, schema: param.json }),
			example: examples[0]?.params?.[name] ?? 1,
		})),
		...Object.entries(query ? (describedJson(query, components).properties ?? {}) : {}).map(([name, property]) => {
			const { description, ...schema } = typeof property === 'boolean' ? {} : property;
			return { name, in: 'query', required: false, description, schema };
		}),
		...textParameters('header', headers),
		...textParameters('cookie', cookies),
	];
	return parameters.length === 0 ? {} : { parameters };
}

function textParameters(place: 'header' | 'cookie', texts: Readonly<Record<string, string>>): Json[] {
	return Object.entries(texts).map(([name, description]) => ({
		name,
		in: place,
		required: false,
		description,
		schema: { type: 'string' },
	}));
}

function requestBodyOf(body: BodyDoc, components: Components, recorded: readonly Recorded[]): Json {
	const schema = addBody(body, components);
	const sent = recorded.filter((one) => one.sent !== undefined && one.status < 300);
	const examplesOf = (valueOf: (value: unknown) => unknown) =>
		Object.fromEntries(sent.map((one) => [one.example.name, { summary: one.example.summary, value: valueOf(one.sent) }]));
	return {
		description: body.description,
		required: body.isOptional !== true,
		content: {
			'application/json': { schema, examples: examplesOf((value) => value) },
			...(body.isTextToo && {
				'text/plain': {
					schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schema },
					examples: examplesOf((value) => JSON.stringify(value)),
				},
			}),
		},
	};
}
