import {
	BODY_ERRORS,
	COOKIE_ERRORS,
	type ErrorDoc,
	FAULT,
	OVERTAKEN_ERROR,
	invalid,
	JOINER_ERRORS,
	KEY_ERRORS,
	LIMIT_ERROR,
	SESSION_ERRORS,
} from './errors.ts';
import { describedJson } from './fields.ts';
import { type Components, type JsonSchema, refTo, toJsonSchema } from './json-schema.ts';
import type { AnswerDoc, BodyDoc, Example, Operation } from './operation.ts';
import { queryRefusalsOf, refusalsOf } from './probe.ts';

// The responses of a route, including every refusal with its exact text.

export interface Recorded {
	readonly operationId: string;
	readonly example: Example;
	readonly sent: unknown;
	readonly status: number;
	/** Parsed if it is JSON, otherwise text. */
	readonly answer: unknown;
}

export type Json = Readonly<Record<string, unknown>>;

export const ERROR: JsonSchema = {
	type: 'object',
	description: 'The body of every error.',
	properties: { error: { type: 'string', minLength: 1, description: 'What is wrong, in plain English.' } },
	required: ['error'],
	additionalProperties: false,
};

export const DUPLICATE: JsonSchema = {
	type: 'object',
	description: 'The error for a sale that is already recorded.',
	properties: {
		...ERROR.properties,
		message: { type: 'string', description: 'What to do next.' },
		statusCode: { type: 'integer', const: 409, description: 'The HTTP status.' },
		differs: {
			type: 'array',
			items: { type: 'string', enum: ['amount_cents', 'currency', 'customer'] },
			minItems: 1,
			description: 'The fields that differ from the recorded sale. Omitted if none differ or the sale is not of your program.',
		},
	},
	required: ['error'],
	additionalProperties: false,
};

export const EARNINGS_OWED: JsonSchema = {
	type: 'object',
	description: 'The error for an account that cannot be deleted as it is.',
	properties: {
		...ERROR.properties,
		owed: {
			type: 'array',
			minItems: 1,
			items: {
				type: 'object',
				properties: {
					program: {
						type: 'object',
						properties: {
							id: { type: 'integer', description: "The program's id." },
							name: { type: 'string', description: 'Its name.' },
						},
						required: ['id', 'name'],
						additionalProperties: false,
						description: 'The program that owes it.',
					},
					currency: { type: 'string', description: 'ISO 4217 code of the amounts.' },
					unpaid_cents: { type: 'integer', minimum: 0, description: 'On hold or available, less debts, in minor units.' },
					on_its_way_cents: { type: 'integer', minimum: 0, description: 'In payouts that were made but not sent yet, in minor units.' },
				},
				required: ['program', 'currency', 'unpaid_cents', 'on_its_way_cents'],
				additionalProperties: false,
			},
			description: 'What each program owes you, by currency. Omitted if the reason is another one.',
		},
	},
	required: ['error'],
	additionalProperties: false,
};

/** Errors with further fields, by the beginning of their text. */
const SCHEMAS = [
	['Duplicate transaction_id', 'DuplicateTransaction'],
	['You would give up', 'EarningsOwed'],
] as const;

/** Responses that many routes share, by name. */
const SHARED: Readonly<Record<string, readonly ErrorDoc[]>> = {
	KeyRefused: KEY_ERRORS,
	SessionRefused: SESSION_ERRORS,
	BodyTooLarge: BODY_ERRORS.filter(({ status }) => status === 413),
	NotOwnPage: COOKIE_ERRORS,
	TooManyRequests: [LIMIT_ERROR],
	Fault: faultsOf([FAULT]),
	Overtaken: [OVERTAKEN_ERROR],
};

export function sharedResponses(): Json {
	return Object.fromEntries(Object.entries(SHARED).map(([name, errors]) => [name, refusal(errors[0]?.status ?? 500, errors, [])]));
}

export function responsesOf(operation: Operation, components: Components, recorded: readonly Recorded[]): Json {
	const responses: Record<string, unknown> = {};
	for (const [status, answer] of Object.entries(operation.answers)) {
		responses[status] = success(answer, components, having(recorded, Number(status)));
	}
	const byStatus = Map.groupBy(errorsOf(operation, components), ({ status }) => status);
	for (const [status, errors] of [...byStatus].toSorted(([a], [b]) => a - b)) {
		const shared = Object.keys(SHARED).find((name) => JSON.stringify(SHARED[name]) === JSON.stringify(errors));
		responses[status] = shared ? { $ref: `#/components/responses/${shared}` } : refusal(status, errors, having(recorded, status));
	}
	return responses;
}

/** Includes refusals of caller, parameters and body. Each text is listed once. */
export function errorsOf(operation: Operation, components: Components): readonly ErrorDoc[] {
	const { caller, body, query, params = {}, errors = [], faults = [] } = operation;
	const isCounted = operation.isLimited === true || caller !== 'anybody';
	const asksSession = caller === 'session' || caller === 'session or anybody';
	const all = [
		...(caller === 'key' || caller === 'key or anybody' ? KEY_ERRORS : []),
		...(caller === 'session' ? SESSION_ERRORS : []),
		...(caller === 'session or anybody' ? JOINER_ERRORS : []),
		...(asksSession && operation.method !== 'get' ? COOKIE_ERRORS : []),
		...Object.entries(params)
			.filter(([, param]) => typeof param === 'string')
			.map(([name]) => invalid(`${name} in the path must be a positive integer`, `The ${name} is not a positive integer.`)),
		...errors,
		...(refusesUnknown(operation) ? [invalid('Unknown query parameter: {name}', 'The route has no such parameter.')] : []),
		...(query ? queryRefusalsOf(query.schema, describedJson(query, components)) : []),
		...(body ? bodyRefusals(body, components) : []),
		...(isCounted ? [LIMIT_ERROR] : []),
		...faultsOf([...faults, FAULT]),
		...(operation.method === 'get' ? [] : [OVERTAKEN_ERROR]),
	];
	return [...new Map(all.toReversed().map((error) => [`${error.status} ${error.text}`, error])).values()].toReversed();
}

/** Our own routes refuse unknown query parameters; those of the contract ignore them (decision 39). */
function refusesUnknown({ path }: Operation): boolean {
	return /^\/api\/(v1\/(?!track\/)|tracking\/events\/)/.test(path);
}

function bodyRefusals(body: BodyDoc, components: Components): readonly ErrorDoc[] {
	if (body.refusals) return body.refusals;
	const refusals = refusalsOf(body.schema, describedJson(body, components));
	// If blank strings count as missing, no field is refused for being blank.
	const own = body.nullExcept ? refusals.filter(({ text }) => !text.endsWith('must not be blank')) : refusals;
	return [...BODY_ERRORS, ...own];
}

function faultsOf(texts: readonly string[]): ErrorDoc[] {
	return texts.map((text) => ({ status: 500, text, when: 'Something is wrong with the service, not with the call.' }));
}

function having(recorded: readonly Recorded[], status: number): readonly Recorded[] {
	return recorded.filter((one) => one.status === status);
}

const CSV_HEADERS = {
	'X-Next-Cursor': 'CSV: the cursor of the next page, like `next_cursor` in JSON; omitted on the last page.',
	'Content-Disposition': 'CSV: the file name.',
};

function success(doc: AnswerDoc, components: Components, recorded: readonly Recorded[]): Json {
	const { description, csv, headers = {}, headersAtTimes = {} } = doc;
	return {
		description: csv === undefined ? description : `${description} CSV columns: ${csv}.`,
		...headersOf(headers, { ...headersAtTimes, ...(csv === undefined ? {} : CSV_HEADERS) }),
		...contentOf(doc, components, recorded),
	};
}

function contentOf({ schema, media, csv }: AnswerDoc, components: Components, recorded: readonly Recorded[]): Json {
	const text = { type: 'string' };
	if (media !== undefined) return { content: { [media]: { schema: text } } };
	if (!schema) return {};
	const texts = recorded.filter(({ answer }) => typeof answer === 'string');
	const values = recorded.filter(({ answer }) => typeof answer !== 'string');
	return {
		content: {
			'application/json': { schema: toJsonSchema(schema, components), ...examplesOf(values) },
			...(csv === undefined ? {} : { 'text/csv': { schema: text, ...examplesOf(texts) } }),
		},
	};
}

const TITLES: Readonly<Record<number, string>> = {
	400: 'The request is invalid.',
	401: 'The caller is not authenticated.',
	403: 'The caller is not allowed to do this.',
	404: 'Not found.',
	409: 'The request conflicts with the current state.',
	410: 'No longer available.',
	413: 'The body is too large.',
	429: 'Too many requests.',
	500: 'Internal error.',
	503: 'Temporarily unavailable.',
};

const ERROR_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
	401: { 'WWW-Authenticate': '`Bearer`' },
	429: { 'Retry-After': 'Seconds to wait.' },
	500: { 'X-Request-Id': 'Identifies the request in the logs of the service.' },
	503: { 'Retry-After': 'Seconds to wait.' },
};

/** `x-errors` lists the errors for machines. */
function refusal(status: number, errors: readonly ErrorDoc[], recorded: readonly Recorded[]): Json {
	const texts = errors.map(({ text, when }) => `- \`${text}\`: ${when}`);
	const schema = SCHEMAS.find(([begin]) => errors.some(({ text }) => text.startsWith(begin)))?.[1] ?? 'Error';
	const plain = errors.find(({ text }) => !text.includes('{')) ?? errors[0];
	const examples = recorded.length > 0 ? examplesOf(recorded) : { example: { error: plain?.text } };
	return {
		description: `${TITLES[status] ?? 'Refused.'}\n\n${texts.join('\n')}`,
		...headersOf(ERROR_HEADERS[status] ?? {}),
		content: { 'application/json': { schema: { $ref: refTo(schema) }, ...examples } },
		'x-errors': errors.map(({ text, when }) => ({ error: text, when })),
	};
}

function headersOf(always: Readonly<Record<string, string>>, sometimes: Readonly<Record<string, string>> = {}): Json {
	const headers = [...headersWith(true, always), ...headersWith(false, sometimes)];
	return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) };
}

function headersWith(required: boolean, headers: Readonly<Record<string, string>>): [name: string, header: Json][] {
	return Object.entries(headers).map(([name, description]) => [name, { description, required, schema: { type: 'string' } }]);
}

function examplesOf(recorded: readonly Recorded[]): Json {
	if (recorded.length === 0) return {};
	return {
		examples: Object.fromEntries(recorded.map(({ example, answer }) => [example.name, { summary: example.summary, value: answer }])),
	};
}
