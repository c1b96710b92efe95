import * as z from 'zod/mini';
import { textOf } from '../http/validate.ts';
import { type ErrorDoc, invalid } from './errors.ts';
import { fieldReasonOf } from './field-errors.ts';
import type { JsonSchema } from './json-schema.ts';

// Finds a schema's error messages by parsing values that are wrong in every way.

const LONG = 'x'.repeat(20_001);
const VALUES: readonly unknown[] = [
	undefined,
	null,
	true,
	'',
	' ',
	'x',
	'1',
	'0',
	'-1',
	'null',
	'99999999999999999999',
	'2026-01-01',
	'2026-13-01',
	'\u0000',
	'a\ud800',
	LONG,
	'ü'.repeat(300),
	0,
	-1,
	0.5,
	1e9,
	1e15,
	2 ** 53,
	[],
	{},
	['x'],
	Array(600).fill(1),
];

export function refusalsOf(schema: z.core.$ZodType, json: JsonSchema): ErrorDoc[] {
	return collect(schema, json, valuesFor);
}

/** Values of a query are always strings. */
export function queryRefusalsOf(schema: z.core.$ZodType, json: JsonSchema): ErrorDoc[] {
	return collect(schema, json, () => VALUES.filter((value) => typeof value === 'string'));
}

function collect(schema: z.core.$ZodType, json: JsonSchema, valuesOf: (property: JsonSchema | boolean) => readonly unknown[]): ErrorDoc[] {
	const texts = new Map<string, string | undefined>();
	for (const [field, property] of Object.entries(json.properties ?? {})) {
		for (const value of valuesOf(property)) note(texts, schema, { [field]: value });
	}
	note(texts, schema, {});
	note(texts, schema, { [UNKNOWN]: 1 });
	return [...texts].map(([text, field]) => invalid(text, fieldReasonOf(text, field)));
}

const UNKNOWN = 'an unknown one';

function valuesFor(property: JsonSchema | boolean): unknown[] {
	if (typeof property === 'boolean') return [...VALUES];
	const nested = Object.entries(property.properties ?? {}).flatMap(([field, inner]) =>
		valuesFor(inner).map((value) => ({ [field]: value })),
	);
	const items = property.type === 'array' ? VALUES.map((value) => [value]) : [];
	return [...VALUES, ...nested, ...items, ...(property.properties ? [{ [UNKNOWN]: 1 }] : [])];
}

function note(texts: Map<string, string | undefined>, schema: z.core.$ZodType, value: object): void {
	const field = Object.keys(value)[0];
	for (const issue of z.core.safeParse(schema, value).error?.issues ?? []) {
		if (issue.path.length > 0 && field !== undefined && issue.path[0] !== field) continue;
		const text = textOf(issue)
			.replaceAll(UNKNOWN, '{field}')
			.replace(/\.\d+(?= )/g, '.{index}');
		if (!texts.has(text))
			texts.set(text, issue.path.length === 0 ? undefined : issue.path.filter((step) => typeof step === 'string').join('.'));
	}
}
