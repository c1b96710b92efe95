import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { committedDocument } from '../../scripts/openapi/committed.ts';
import { Conformance, type Document } from '../../testing/openapi/conformance.ts';
import { nodeBindings } from '../../testing/service/node-bindings.ts';
import { sendExamples, statusOf } from '../../testing/openapi/send-examples.ts';
import { openService } from '../../testing/service/service.ts';
import { prepareWorld } from '../../testing/openapi/world.ts';
import { pathOf } from '../../src/openapi/document.ts';
import { OPERATIONS } from '../../src/openapi/operations.ts';
import { TAGS } from '../../src/openapi/tags.ts';
import { ROUTES } from '../support/routes.ts';

const SRC = join(import.meta.dirname, '../../src');
const document: Document = JSON.parse(committedDocument());

/** The operations in the document, such as `POST /api/v1/track/sale`. */
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
	Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);
/** Pages for people are not part of the API. */
const PAGES = /^\/((docs|dashboard|portal|pages)(\/|$)|unsubscribe\/|p\/|llms\.txt$|reset-password$|invitation$|$)/;
const routed = [
	...new Set(
		Object.values(ROUTES)
			.flat()
			.filter(({ method, path }) => method !== 'ALL' && !PAGES.test(path))
			.map(({ method, path }) => `${method} ${pathOf(path.replace(/(.)\/$/, '$1'))}`),
	),
];

describe('src/openapi/routes/ describes every route and nothing else', () => {
	test('no route is missing', () => {
		expect(routed.filter((route) => !documented.includes(route))).toEqual([]);
	});

	test('no route is invented', () => {
		expect(documented.filter((route) => !routed.includes(route))).toEqual([]);
	});
});

type Schema = { readonly [keyword: string]: unknown };

function isSchema(value: unknown): value is Schema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Built from a limit and a name. */
function isPutTogether(piece: string): boolean {
	return /^(More than 10000 commissions|(dateFrom|dateTo|compare_from) must be)/.test(piece);
}

/** Every field of a schema at any depth, with its path. */
function fieldsIn(path: string, schema: unknown): [string, Schema][] {
	if (Array.isArray(schema)) return schema.flatMap((one, index) => fieldsIn(`${path}/${index}`, one));
	if (!isSchema(schema)) return [];
	const own = Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).flatMap(([name, field]): [string, Schema][] =>
		isSchema(field) ? [[`${path}.${name}`, field], ...fieldsIn(`${path}.${name}`, field)] : [],
	);
	const inner = ['items', 'anyOf', 'allOf', 'oneOf', 'additionalProperties'].flatMap((keyword) =>
		fieldsIn(`${path}/${keyword}`, schema[keyword]),
	);
	return [...own, ...inner];
}

describe('every part has a description', () => {
	const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
	);
	const fields = [
		...Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsIn(name, schema)),
		...operations.flatMap(({ name, operation }) =>
			Object.entries(operation.responses).flatMap(([status, response]) => {
				const content = 'content' in response ? (response.content ?? {}) : {};
				return Object.values(content).flatMap(({ schema }) => fieldsIn(`${name} ${status}`, schema));
			}),
		),
	];

	test('there are many fields', () => {
		expect(fields.length).toBeGreaterThan(300);
	});

	test('every field has a description', () => {
		expect(fields.filter(([, { description }]) => typeof description !== 'string' || description.length < 4).map(([name]) => name)).toEqual(
			[],
		);
	});

	test('every amount in minor units says so', () => {
		const amounts = fields.filter(([name]) => name.endsWith('_cents'));
		expect(amounts.length).toBeGreaterThan(20);
		expect(amounts.filter(([, { description }]) => !/minor unit|smallest unit/i.test(String(description))).map(([name]) => name)).toEqual(
			[],
		);
	});

	test('every parameter has a description, and every path parameter is listed', () => {
		for (const { name, operation } of operations) {
			const parameters = operation.parameters ?? [];
			expect(
				parameters.filter((parameter) => !('description' in parameter)),
				name,
			).toEqual([]);
			const ofPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
			expect(ofPath, name).toEqual([...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
		}
	});

	test('path parameters are required, lists have item types, and optional values have a valid default', () => {
		const inPaths = operations.flatMap(({ operation }) => (operation.parameters ?? []).filter((parameter) => parameter.in === 'path'));
		expect(inPaths.length).toBeGreaterThan(50);
		expect(inPaths.filter((parameter) => parameter.required !== true)).toEqual([]);
		const lists = fields.filter(([, { type }]) => type === 'array');
		expect(lists.length).toBeGreaterThan(10);
		expect(lists.filter(([, { items }]) => !isSchema(items)).map(([name]) => name)).toEqual([]);
		const defaults = fields.filter(([, schema]) => schema['default'] !== undefined);
		expect(defaults.length).toBeGreaterThan(3);
		expect(
			defaults.filter(([, schema]) => !new Validator(schema, '2020-12').validate(schema['default']).valid).map(([name]) => name),
		).toEqual([]);
	});

	test('no nullable field also forbids null', () => {
		const nullable = fields.filter(([, { type }]) => Array.isArray(type) && type.includes('null'));
		expect(nullable.length).toBeGreaterThan(100);
		expect(nullable.filter(([, schema]) => !new Validator(schema, '2020-12').validate(null).valid).map(([name]) => name)).toEqual([]);
	});

	test('every operation has an example, except the document itself', () => {
		expect(OPERATIONS.filter(({ examples }) => examples.length === 0).map(({ id }) => id)).toEqual(['readDocument']);
	});

	test('every chapter has a route', () => {
		const used = new Set<string>(OPERATIONS.map(({ tag }) => tag));
		expect(Object.keys(TAGS).filter((tag) => tag !== 'Legacy paths' && !used.has(tag))).toEqual([]);
	});
});

describe('the text of every error', () => {
	const source = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('openapi'))
		.map((file) => readFileSync(join(SRC, file), 'utf8').replaceAll("\\'", "'"))
		.join('\n');
	const own = OPERATIONS.flatMap(({ errors = [], faults = [] }) => [...errors.map(({ text }) => text), ...faults]);

	test.each([...new Set(own)])('%s', (text) => {
		// notFound() appends `not found` to the noun.
		const pieces = text.replace(/ not found$/, '').split(/\{\w+\}/);
		expect(pieces.filter((piece) => piece.trim().length > 1 && !source.includes(piece.trim()) && !isPutTogether(piece))).toEqual([]);
	});
});

test('the Worker does not contain the document', () => {
	const importers = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
		(file) =>
			/\.tsx?$/.test(file) &&
			!file.startsWith('openapi') &&
			/^(import|export) (?!type )[^;]*\/openapi\//m.test(readFileSync(join(SRC, file), 'utf8')),
	);
	expect(importers).toEqual([]);
});

test('the paths for earlier clients behave as documented', async () => {
	const conformance = new Conformance(document);
	const world = await prepareWorld(openService(nodeBindings()));
	let count = 0;
	for await (const sent of sendExamples(world, ({ path, legacyPath }) => legacyPath ?? path)) {
		const { method, legacyPath } = sent.operation;
		if (legacyPath === undefined) continue;
		const answer = { method, path: legacyPath, status: sent.status, headers: sent.response.headers, text: sent.text };
		expect(sent.status, sent.text).toBe(statusOf(sent));
		expect(conformance.complaintsAbout(answer)).toEqual([]);
		count += 1;
	}
	expect(count).toBeGreaterThan(20);
});
