import type * as z from 'zod/mini';
import type { ProcessorName } from '../processor/processors.ts';
import type { ErrorDoc } from './errors.ts';
import type { ExampleWorld } from './example-world.ts';
import type { JsonSchema } from './json-schema.ts';
import type { TagName } from './tags.ts';

// Each module in routes/ describes the module with the same name in src/http/.

export type Caller = 'anybody' | 'key' | 'key or anybody' | 'session' | 'session or anybody';

export interface Operation {
	readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options';
	/** Hono's notation: `/api/v1/programs/:id`. */
	readonly path: string;
	/** Earlier clients use this path. */
	readonly legacyPath?: string;
	readonly id: string;
	readonly tag: TagName;
	/** In sentence case. */
	readonly summary: string;
	/** Markdown: what it does, and when to call it. */
	readonly description: string;
	readonly caller: Caller;
	/** Whether calls without a key or session are rate-limited too (429). */
	readonly isLimited?: boolean;
	/** A path parameter is a number by default. */
	readonly params?: Readonly<Record<string, ParamDoc>>;
	readonly query?: FieldsDoc;
	readonly headers?: Readonly<Record<string, string>>;
	readonly cookies?: Readonly<Record<string, string>>;
	readonly body?: BodyDoc;
	/** Successful answers by status. */
	readonly answers: Readonly<Record<number, AnswerDoc>>;
	/** Specific refusals. Those of caller, parameters and body are added. */
	readonly errors?: readonly ErrorDoc[];
	/** The special `error` texts of its 500s. */
	readonly faults?: readonly string[];
	readonly examples: readonly Example[];
}

export type ParamDoc = string | { readonly text: string; readonly json: JsonSchema };

/** A field's meaning and unit. `json` extends or overrides its JSON Schema. */
export type FieldDoc = string | { readonly text: string; readonly json?: JsonSchema; readonly fields?: Readonly<Record<string, FieldDoc>> };

export interface FieldsDoc {
	readonly schema: z.core.$ZodType;
	readonly fields: Readonly<Record<string, FieldDoc>>;
}

export interface BodyDoc extends FieldsDoc {
	/** Its name in `components.schemas`. */
	readonly name: string;
	readonly description: string;
	/** Another accepted form of the same fields. */
	readonly or?: {
		readonly name: string;
		readonly description: string;
		readonly schema: z.core.$ZodType;
		/** Only this form requires these fields. */
		readonly required: string[];
		readonly json: JsonSchema;
	};
	readonly isOptional?: boolean;
	/** Whether text/plain is also accepted, because it needs no preflight. */
	readonly isTextToo?: boolean;
	/** Replaces the common refusals of JSON bodies. */
	readonly refusals?: readonly ErrorDoc[];
	/** If set, null counts as missing, except in these fields. */
	readonly nullExcept?: readonly string[];
}

export interface AnswerDoc {
	readonly description: string;
	/** Set for a JSON body. */
	readonly schema?: z.core.$ZodType;
	/** The media type of another body, which the document does not describe further. */
	readonly media?: string;
	/** The columns of the CSV for `Accept: text/csv`. */
	readonly csv?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Headers that only some responses have. */
	readonly headersAtTimes?: Readonly<Record<string, string>>;
}

/** A request that gets this status in the example world. */
export interface Example {
	/** Unique within the operation. */
	readonly name: string;
	readonly summary: string;
	/** Defaults to the route's caller. */
	readonly as?: 'nobody' | 'key' | 'owner' | 'partner' | 'leaver' | 'guest';
	readonly params?: Readonly<Record<string, string | number>>;
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
	/** Builds a body with values from the example world. */
	readonly bodyIn?: (world: ExampleWorld) => unknown;
	readonly signedBy?: ProcessorName;
	/** Defaults to the first status in `answers`. */
	readonly status?: number;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** The compiler requires exactly one description for each field. */
export function fieldsOf<Fields extends Shape>(
	schema: () => z.core.$ZodObject<Fields>,
	fields: { readonly [Field in keyof Fields & string]: FieldDoc },
): FieldsDoc {
	return { schema: schema(), fields };
}

export function bodyOf<Fields extends Shape>(
	name: string,
	description: string,
	schema: () => z.core.$ZodObject<Fields>,
	fields: { readonly [Field in keyof Fields & string]: FieldDoc },
): BodyDoc {
	return { name, description, schema: schema(), fields };
}
