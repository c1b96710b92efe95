import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';

// Compares real responses with the OpenAPI document: status, media type, headers, body, and the exact text of an error.

export interface Document {
	readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, Schema>>;
		readonly responses: Readonly<Record<string, DocumentResponse>>;
	};
}

export interface DocumentOperation {
	readonly operationId: string;
	readonly security: readonly Readonly<Record<string, unknown>>[];
	readonly deprecated?: boolean;
	readonly parameters?: readonly {
		readonly name: string;
		readonly in: 'path' | 'query' | 'header' | 'cookie';
		readonly required?: boolean;
		readonly schema: Schema;
	}[];
	readonly requestBody?: {
		readonly required: boolean;
		readonly content: Readonly<
			Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
		>;
	};
	readonly responses: Readonly<Record<string, DocumentResponse | { readonly $ref: string }>>;
}

export interface DocumentResponse {
	readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
	readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
	readonly 'x-errors'?: readonly { readonly error: string }[];
}

export interface Answered {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

export class Conformance {
	readonly document: Document;
	readonly #paths: readonly { readonly template: string; readonly expression: RegExp }[];
	readonly #bodies = new Map<string, Validator>();
	readonly #texts = new Map<string, readonly (readonly [text: string, expression: RegExp])[]>();
	readonly #last = new Map<string, { readonly text: string; readonly complaints: string[] }>();
	readonly #defs: { readonly answers: Record<string, Schema>; readonly requests: Record<string, Schema> };

	constructor(document: Document) {
		this.document = document;
		const templates = Object.keys(document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length);
		this.#paths = templates.map((template) => ({
			template,
			expression: new RegExp(`^${template.replaceAll(/[.]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
		}));
		const schemas = Object.entries(document.components.schemas);
		this.#defs = {
			answers: Object.fromEntries(schemas.map(([name, schema]) => [name, closed(schema)])),
			requests: Object.fromEntries(schemas.map(([name, schema]) => [name, withDefs(schema)])),
		};
	}

	/** Undefined if the document has no such call. */
	operationOf(method: string, path: string): DocumentOperation | undefined {
		const found = this.#paths.find(
			({ expression, template }) => expression.test(path) && method.toLowerCase() in (this.document.paths[template] ?? {}),
		);
		return found && this.document.paths[found.template]?.[method.toLowerCase()];
	}

	/** Empty if the response conforms. */
	complaintsAbout(answer: Answered): string[] {
		const operation = this.operationOf(answer.method, answer.path);
		if (!operation) return [`${answer.method} ${answer.path} is not in the document`];
		const response = this.#responseOf(operation, answer.status);
		if (!response) return [`${answer.status} is not documented`];
		const missing = Object.entries(response.headers ?? {})
			.filter(([name, { required }]) => required === true && !answer.headers.has(name))
			.map(([name]) => `the header ${name} is missing`);
		return [...missing, ...this.#bodyComplaints(operation, response, answer)];
	}

	/** Why the document would refuse a body that the service accepted. */
	requestComplaints(operation: DocumentOperation, body: unknown): string[] {
		const schema = operation.requestBody?.content['application/json']?.schema;
		if (!schema) return [];
		const validator = this.#validator(`request ${operation.operationId}`, withDefs(schema), this.#defs.requests);
		return this.#validate(validator, body);
	}

	/** The documented text of an error, with its `{...}`; undefined if there is none. */
	textOf(operation: DocumentOperation, status: number, error: string): string | undefined {
		const key = `${operation.operationId} ${status}`;
		let texts = this.#texts.get(key);
		if (!texts) {
			texts = this.refusalsOf(operation, status).map((text) => [text, expressionOf(text)] as const);
			this.#texts.set(key, texts);
		}
		return texts.find(([, expression]) => expression.test(error))?.[0];
	}

	refusalsOf(operation: DocumentOperation, status: number): string[] {
		return this.#responseOf(operation, status)?.['x-errors']?.map(({ error }) => error) ?? [];
	}

	#responseOf(operation: DocumentOperation, status: number): DocumentResponse | undefined {
		const response = operation.responses[status];
		if (!response || !('$ref' in response)) return response;
		return this.document.components.responses[response.$ref.split('/').at(-1) ?? ''];
	}

	#bodyComplaints(operation: DocumentOperation, response: DocumentResponse, { status, headers, text }: Answered): string[] {
		if (!response.content) return text === '' ? [] : ['there is a body'];
		const type = headers.get('Content-Type')?.split(';')[0] ?? '';
		const media = response.content[type];
		if (!media) return [`${type || 'no Content-Type'} is not documented`];
		if (type !== 'application/json') return [];
		const key = `${operation.operationId} ${status}`;
		const last = this.#last.get(key);
		// An identical response has the same result.
		if (last?.text === text) return last.complaints;
		const complaints = this.#jsonComplaints(operation, media.schema, status, text);
		this.#last.set(key, { text, complaints });
		return complaints;
	}

	#jsonComplaints(operation: DocumentOperation, schema: Schema, status: number, text: string): string[] {
		const body = parsed(text);
		if (body === undefined) return ['the body is not JSON'];
		const complaints = this.#validate(this.#validator(`${operation.operationId} ${status}`, closed(schema), this.#defs.answers), body);
		const error = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
		if (status < 400 || this.textOf(operation, status, error) !== undefined) return complaints;
		return [...complaints, `the text is not documented: ${error}`];
	}

	#validator(key: string, schema: Schema, $defs: Record<string, Schema>): Validator {
		let validator = this.#bodies.get(key);
		if (!validator) {
			validator = new Validator({ ...schema, $defs: referencedBy(schema, $defs) }, '2020-12');
			this.#bodies.set(key, validator);
		}
		return validator;
	}

	#validate(validator: Validator, value: unknown): string[] {
		const { valid, errors } = validator.validate(value);
		return valid ? [] : [`the body is not as documented: ${deepest(errors)}`];
	}
}

/** Placeholders such as `{id}` match any text. */
function expressionOf(text: string): RegExp {
	const pieces = text.split(/\{\w+\}/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${pieces.join('.*')}$`, 's');
}

/** The last errors are the most specific; earlier ones concern the enclosing values. */
function deepest(errors: readonly OutputUnit[]): string {
	return errors
		.slice(-3)
		.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
		.join('; ');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function withDefs(schema: Schema): Schema {
	const copy: Schema = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/'));
	return copy;
}

/** A schema has hundreds of definitions, and a validator processes all that it gets. */
function referencedBy(schema: Schema, all: Readonly<Record<string, Schema>>): Record<string, Schema> {
	const found: Record<string, Schema> = {};
	const follow = (from: Schema) => {
		for (const [, name = ''] of JSON.stringify(from).matchAll(/"#\/\$defs\/(\w+)"/g)) {
			const definition = all[name];
			if (!definition || name in found) continue;
			found[name] = definition;
			follow(definition);
		}
	};
	follow(schema);
	return found;
}

/** The schema for tests, which refuses fields that it does not name. */
function closed(schema: Schema): Schema {
	const copy: Schema = JSON.parse(JSON.stringify(withDefs(schema)), (_key, value: unknown) => {
		const isObject = typeof value === 'object' && value !== null && 'type' in value && value.type === 'object';
		return isObject && 'properties' in value && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value;
	});
	return copy;
}
