import type { Schema } from '@cfworker/json-schema';

/** Schemas by name, as in the document's `components.schemas`. */
export type Defs = Readonly<Record<string, Schema>>;

/** Follows a reference. */
export function resolved(schema: Schema, defs: Defs): Schema {
	return schema.$ref === undefined ? schema : (defs[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}

/** The fields of an object. */
export function propertiesOf(schema: Schema): [field: string, property: Schema][] {
	return Object.entries(schema.properties ?? {}).flatMap(([field, property]): [string, Schema][] =>
		typeof property === 'boolean' ? [] : [[field, property]],
	);
}
