import { committedDocument } from '../openapi/committed.ts';

// The parts of the OpenAPI document that the reference shows.

export interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly description?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly allOf?: readonly Schema[];
	readonly additionalProperties?: Schema | boolean;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly default?: unknown;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly maxItems?: number;
}

export interface Content {
	readonly schema: Schema;
	readonly example?: unknown;
	readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export interface Response {
	readonly description: string;
	readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
	readonly content?: Readonly<Record<string, Content>>;
	readonly 'x-errors'?: readonly { readonly error: string; readonly when: string }[];
}

export interface Parameter {
	readonly name: string;
	readonly in: 'path' | 'query' | 'header' | 'cookie';
	readonly required?: boolean;
	readonly description: string;
	readonly schema: Schema;
	readonly example?: unknown;
}

export interface Operation {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description: string;
	readonly deprecated?: boolean;
	readonly security: readonly Readonly<Record<string, unknown>>[];
	readonly parameters?: readonly Parameter[];
	readonly requestBody?: {
		readonly description?: string;
		readonly required?: boolean;
		readonly content: Readonly<Record<string, Content>>;
	};
	readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

export interface OpenApi {
	readonly info: { readonly description: string };
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, Schema>>;
		readonly responses: Readonly<Record<string, Response>>;
		readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
	};
}

export interface Route {
	readonly method: string;
	readonly path: string;
	readonly operation: Operation;
}

export function readOpenApi(): OpenApi {
	const document: OpenApi = JSON.parse(committedDocument());
	return document;
}

export function routesOf(document: OpenApi, tag: string): Route[] {
	return Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods)
			.filter(([, { tags }]) => tags.includes(tag))
			.map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
	);
}

export function responseOf(document: OpenApi, response: Response | { readonly $ref: string }): Response {
	if (!('$ref' in response)) return response;
	const found = document.components.responses[lastOf(response.$ref)];
	if (!found) throw new Error(`${response.$ref} is missing`);
	return found;
}

/** Resolves a reference. A description next to the reference overrides the schema's. */
export function schemaOf(document: OpenApi, schema: Schema): Schema {
	if (schema.$ref === undefined) return schema;
	const { $ref, ...overrides } = schema;
	const found = document.components.schemas[lastOf($ref)];
	if (!found) throw new Error(`${$ref} is missing`);
	return { ...schemaOf(document, found), ...overrides };
}

function lastOf(reference: string): string {
	return reference.split('/').at(-1) ?? '';
}
