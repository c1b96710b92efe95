import * as z from 'zod/mini';
import { FIELD_TYPES } from './field-types.ts';

// Converts zod schemas to JSON Schema. The Worker contains nothing of src/openapi/.

export type JsonSchema = z.core.JSONSchema.BaseSchema;
/** `components.schemas` of the document. */
export type Components = Record<string, JsonSchema>;

const facts = z.registry<{ readonly id?: string; readonly description?: string }>();

/** The description includes the unit. */
export function is<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
	const described = z.clone(schema, schema._zod.def, { parent: true });
	facts.add(described, { description });
	return described;
}

export function named<Schema extends z.core.$ZodType>(id: string, description: string, schema: Schema): Schema {
	facts.add(schema, { id, description });
	return schema;
}

/** Adds named schemas to `components`. */
export function toJsonSchema(schema: z.core.$ZodType, components: Components): JsonSchema {
	const { $schema: _dialect, $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', metadata: facts, override: patch });
	for (const [id, definition] of Object.entries($defs)) components[id] = withRefs(definition);
	return withRefs(root);
}

export function refTo(id: string): string {
	return `#/components/schemas/${id}`;
}

/** Adds what z.toJSONSchema cannot derive, and removes what means nothing to readers. */
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

/** Not blank, no control characters. Avoids `\\p{Cc}`, which some regular expression engines lack. */
const IDENTIFIER = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Recognises an `Identifier` of src/http/fields.ts by its checks. */
function isIdentifier({ allOf }: JsonSchema): boolean {
	return allOf?.length === 2 && allOf.every((one) => one.pattern === '\\S' || one.pattern?.includes('\\P{Cc}'));
}

function withRefs(schema: JsonSchema): JsonSchema {
	const json = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
	const copy: JsonSchema = JSON.parse(json);
	return copy;
}
