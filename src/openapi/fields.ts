import { type Components, type JsonSchema, refTo, toJsonSchema } from './json-schema.ts';
import type { BodyDoc, FieldDoc, FieldsDoc } from './operation.ts';

export function describedJson({ schema, fields }: FieldsDoc, components: Components): JsonSchema {
	return withMeaning(toJsonSchema(schema, components), fields);
}

export function addBody(body: BodyDoc, components: Components): JsonSchema {
	const { name, description, or } = body;
	const json = nullable({ ...describedJson(body, components), description }, body.nullExcept);
	components[name] = json;
	if (!or) return { $ref: refTo(name) };
	const other = nullable(
		{ ...describedJson({ schema: or.schema, fields: body.fields }, components), description: or.description },
		body.nullExcept,
	);
	const described = Object.fromEntries(Object.entries(body.fields).filter(([field]) => field in (or.json.properties ?? {})));
	components[or.name] = {
		...other,
		required: or.required,
		properties: { ...other.properties, ...withMeaning(or.json, described).properties },
	};
	return { anyOf: [{ $ref: refTo(name) }, { $ref: refTo(or.name) }] };
}

function withMeaning(json: JsonSchema, fields: Readonly<Record<string, FieldDoc>>): JsonSchema {
	const properties = Object.entries(json.properties ?? {}).map(([field, property]): [string, JsonSchema] => {
		const doc = fields[field];
		if (doc === undefined || typeof property === 'boolean') throw new Error(`${field} has no description`);
		if (typeof doc === 'string') return [field, { ...property, description: doc }];
		const inner = doc.fields ? withMeaning(property, doc.fields) : property;
		// A required constant has no default.
		const standard = inner.const === undefined ? {} : { default: undefined };
		return [field, { ...inner, ...doc.json, ...standard, description: doc.text }];
	});
	const made = Object.keys(fields).filter((field) => json.properties?.[field] === undefined);
	if (json.properties && made.length > 0) throw new Error(`${made.join(', ')}: described, but not in the schema`);
	return { ...json, properties: Object.fromEntries(properties) };
}

/** Also accepts null for missing fields, even in nested objects. */
function nullable(json: JsonSchema, except: readonly string[] | undefined): JsonSchema {
	if (!except || !json.properties) return json;
	const mayBeNull = (field: string) => !json.required?.includes(field) && !except.includes(field);
	const properties = Object.entries(json.properties).map(([field, property]) => [
		field,
		typeof property !== 'boolean' && mayBeNull(field) ? orNull(nullable(property, except)) : property,
	]);
	return { ...json, properties: Object.fromEntries(properties) };
}

function orNull(property: JsonSchema): JsonSchema {
	if (property.anyOf) return { ...property, anyOf: [...property.anyOf, { type: 'null' }] };
	const type = typeof property.type === 'string' ? { type: [property.type, 'null' as const] } : {};
	return { ...property, ...type, ...(property.enum ? { enum: [...property.enum, null] } : {}) };
}
