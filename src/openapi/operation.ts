import type * as z from 'zod/mini';
import type { ProcessorName } from '../processor/processors.ts';
import type { ErrorDoc } from './errors.ts';
import type { ExampleWorld } from './example-world.ts';
import type { JsonSchema } from './json-schema.ts';
import type { TagName } from './tags.ts';

// The description of a route. Each module of routes/ describes its namesake in src/http/.

/** Who may call: anybody; a backend with a program key; either; a signed-in person; a signed-in person or anybody. */
export type Caller = 'anybody' | 'key' | 'key or anybody' | 'session' | 'session or anybody';

export interface Operation {
	readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options';
	/** As in Hono: `/api/v1/programs/:id`. */
	readonly path: string;
	/** The same route for earlier clients. */
	readonly legacyPath?: string;
	/** The operationId. */
	readonly id: string;
	readonly tag: TagName;
	/** A few words in sentence case. */
	readonly summary: string;
	/** What it does, and when to call it. Markdown. */
	readonly description: string;
	readonly caller: Caller;
	/** Whether calls without a key or session are rate-limited too (429). */
	readonly isLimited?: boolean;
	/** Parameters of the path; by default a number. */
	readonly params?: Readonly<Record<string, ParamDoc>>;
	readonly query?: FieldsDoc;
	readonly headers?: Readonly<Record<string, string>>;
	readonly cookies?: Readonly<Record<string, string>>;
	readonly body?: BodyDoc;
	/** Successful answers by status. */
	readonly answers: Readonly<Record<number, AnswerDoc>>;
	/** Its own refusals. Those of caller, parameters and body are added. */
	readonly errors?: readonly ErrorDoc[];
	/** The `error` of its 500s, if they have their own text. */
	readonly faults?: readonly string[];
	readonly examples: readonly Example[];
}

export type ParamDoc = string | { readonly text: string; readonly json: JsonSchema };

/** A field's meaning with its unit; `json` extends or replaces the zod schema's. */
export type FieldDoc = string | { readonly text: string; readonly json?: JsonSchema; readonly fields?: Readonly<Record<string, FieldDoc>> };

export interface FieldsDoc {
	readonly schema: z.core.$ZodType;
	readonly fields: Readonly<Record<string, FieldDoc>>;
}

export interface BodyDoc extends FieldsDoc {
	/** Its name among the components. */
	readonly name: string;
	readonly description: string;
	/** Another accepted form of the same fields. */
	readonly or?: {
		readonly name: string;
		readonly description: string;
		readonly schema: z.core.$ZodType;
		/** The fields that only this form requires. */
		readonly required: string[];
		readonly json: JsonSchema;
	};
	readonly isOptional?: boolean;
	/** Whether text/plain is accepted too, which needs no preflight. */
	readonly isTextToo?: boolean;
	/** Its refusals, instead of those of every JSON body. */
	readonly refusals?: readonly ErrorDoc[];
	/** If set, null counts as missing, except in these fields. */
	readonly nullExcept?: readonly string[];
}

export interface AnswerDoc {
	readonly description: string;
	/** For JSON. Undefined: no body, or another kind. */
	readonly schema?: z.core.$ZodType;
	/** The media type of another kind of body, which the document does not describe. */
	readonly media?: string;
	/** The columns of the CSV for `Accept: text/csv`. */
	readonly csv?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Headers that only some answers have. */
	readonly headersAtTimes?: Readonly<Record<string, string>>;
}

/** A request that works in the world of examples and gets this status. */
export interface Example {
	/** Unique within the operation. */
	readonly name: string;
	readonly summary: string;
	/** Who sends it; by default the route's caller. */
	readonly as?: 'nobody' | 'key' | 'owner' | 'partner' | 'leaver' | 'guest';
	readonly params?: Readonly<Record<string, string | number>>;
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
	/** Instead of `body`, if it needs values of the world. */
	readonly bodyIn?: (world: ExampleWorld) => unknown;
	/** The processor whose signature it has. */
	readonly signedBy?: ProcessorName;
	/** By default the first answer. */
	readonly status?: number;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** Descriptions of a zod object's fields: the compiler requires exactly these. */
export function fieldsOf<Fields extends Shape>(
	schema: () => z.core.$ZodObject<Fields>,
	fields: { readonly [Field in keyof Fields & string]: FieldDoc },
): FieldsDoc {
	return { schema: schema(), fields };
}

/** A named body. */
export function bodyOf<Fields extends Shape>(
	name: string,
	description: string,
	schema: () => z.core.$ZodObject<Fields>,
	fields: { readonly [Field in keyof Fields & string]: FieldDoc },
): BodyDoc {
	return { name, description, schema: schema(), fields };
}
