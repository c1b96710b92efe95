import * as z from 'zod/mini';
import { FIELD_TYPES } from './field-types.ts';

// From zod to JSON Schema. Nothing in src/openapi/ is part of the Worker: what people read costs it no byte.

export type JsonSchema = z.core.JSONSchema.BaseSchema;
/** Schemas with a name, as `components.schemas` of the document. */
export type Components = Record<string, JsonSchema>;

const facts = z.registry<{ readonly id?: string; readonly description?: string }>();

/** The schema with what it means, and its unit. */
export function is<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
	const described = z.clone(schema, schema._zod.def, { parent: true });
	facts.add(described, { description });
	return described;
}

/** The schema under a name of its own in the document. */
export function named<Schema extends z.core.$ZodType>(id: string, description: string, schema: Schema): Schema {
	facts.add(schema, { id, description });
	return schema;
}

/** What is sent, or answered, as JSON Schema; the named schemas in it go to `components`. */
export function toJsonSchema(schema: z.core.$ZodType, components: Components): JsonSchema {
	const { $schema: _dialect, $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', metadata: facts, override: patch });
	for (const [id, definition] of Object.entries($defs)) components[id] = withRefs(definition);
	return withRefs(root);
}

export function refTo(id: string): string {
	return `#/components/schemas/${id}`;
}

/** Adds what JSON Schema cannot read off the zod schema, and drops what says nothing. */
function patch({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
	if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
	if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
	delete jsonSchema.propertyNames;
	if (isIdentifier(jsonSchema)) {
		delete jsonSchema.allOf;
		jsonSchema.pattern = IDENTIFIER;
	}
	const replacement = FIELD_TYPES.get(zodSchema);
	if (!replacement) return;
	for (const keyword of ['type', 'pattern', 'anyOf', 'default', 'minimum', 'maximum']) delete jsonSchema[keyword];
	Object.assign(jsonSchema, replacement);
}

/** Not blank, no control characters; for readers of regular expressions who do not know `\\p{Cc}`. */
const IDENTIFIER = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Whether both checks of an `Identifier` (src/http/fields.ts) are on it. */
function isIdentifier({ allOf }: JsonSchema): boolean {
	return allOf?.length === 2 && allOf.every((one) => one.pattern === '\\S' || one.pattern?.includes('\\P{Cc}'));
}

function withRefs(schema: JsonSchema): JsonSchema {
	const json = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
	const copy: JsonSchema = JSON.parse(json);
	return copy;
}
