import type * as z from 'zod/mini';
import type { ProcessorName } from '../processor/processors.ts';
import type { ErrorDoc } from './errors.ts';
import type { ExampleWorld } from './example-world.ts';
import type { JsonSchema } from './json-schema.ts';
import type { TagName } from './tags.ts';

// What a route says of itself. Each module of routes/ describes those of its namesake in src/http/.

/** Who may call: anybody; a backend with a program key; either; a signed-in person; such a one or anybody. */
export type Caller = 'anybody' | 'key' | 'key or anybody' | 'session' | 'session or anybody';

export interface Operation {
	readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options';
	/** As Hono has it: `/api/v1/programs/:id`. */
	readonly path: string;
	/** The path for earlier clients that does the same. */
	readonly legacyPath?: string;
	/** The operationId. */
	readonly id: string;
	readonly tag: TagName;
	/** A few words, in lower case but for the first. */
	readonly summary: string;
	/** What it does, when to call it, what to know. Markdown. */
	readonly description: string;
	readonly caller: Caller;
	/** Whether calls are counted though neither a key nor a session is sent: 429 above the limit. */
	readonly isLimited?: boolean;
	/** The parameters of the path: the number of a thing, where nothing else is said. */
	readonly params?: Readonly<Record<string, ParamDoc>>;
	readonly query?: FieldsDoc;
	readonly headers?: Readonly<Record<string, string>>;
	readonly cookies?: Readonly<Record<string, string>>;
	readonly body?: BodyDoc;
	/** What it answers where all is well, by status. */
	readonly answers: Readonly<Record<number, AnswerDoc>>;
	/** Its own refusals. Those that come with its caller, its parameters and its body are added to them. */
	readonly errors?: readonly ErrorDoc[];
	/** The `error` of its 500s, where it has texts of its own. */
	readonly faults?: readonly string[];
	readonly examples: readonly Example[];
}

export type ParamDoc = string | { readonly text: string; readonly json: JsonSchema };

/** What a field means, with its unit; `json` adds to what the zod schema says, or takes its place. */
export type FieldDoc = string | { readonly text: string; readonly json?: JsonSchema; readonly fields?: Readonly<Record<string, FieldDoc>> };

export interface FieldsDoc {
	readonly schema: z.core.$ZodType;
	readonly fields: Readonly<Record<string, FieldDoc>>;
}

export interface BodyDoc extends FieldsDoc {
	/** Its name among the components. */
	readonly name: string;
	readonly description: string;
	/** Another form that is taken too, with the same fields. */
	readonly or?: {
		readonly name: string;
		readonly description: string;
		readonly schema: z.core.$ZodType;
		/** What tells it from the other. */
		readonly required: string[];
		readonly json: JsonSchema;
	};
	/** Whether the body may be left out. */
	readonly isOptional?: boolean;
	/** Whether it is taken as text/plain too, which needs no preflight. */
	readonly isTextToo?: boolean;
	/** What it can be refused with, in place of what is refused of every JSON body. */
	readonly refusals?: readonly ErrorDoc[];
	/** Whether null counts as left out: in every field that may be left out, but for these. */
	readonly nullExcept?: readonly string[];
}

export interface AnswerDoc {
	readonly description: string;
	/** Of JSON. Undefined: no body, or another one. */
	readonly schema?: z.core.$ZodType;
	/** The media type of a body that is not JSON, which the document does not show. */
	readonly media?: string;
	/** The columns of the CSV that is answered to `Accept: text/csv`. */
	readonly csv?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Headers that not every such answer has. */
	readonly headersAtTimes?: Readonly<Record<string, string>>;
}

/** A request that works in the world of examples, and is answered with this status. */
export interface Example {
	/** Unique within the operation. */
	readonly name: string;
	readonly summary: string;
	/** Who sends it; by default whoever may. */
	readonly as?: 'nobody' | 'key' | 'owner' | 'partner' | 'leaver' | 'guest';
	readonly params?: Readonly<Record<string, string | number>>;
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: unknown;
	/** In place of `body`, where it needs what only the world knows. */
	readonly bodyIn?: (world: ExampleWorld) => unknown;
	/** Whose signature it carries. */
	readonly signedBy?: ProcessorName;
	/** By default the first of the answers. */
	readonly status?: number;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** Fields of a zod object: the compiler asks for each of them, and for no other. */
export function fieldsOf<Fields extends Shape>(
	schema: () => z.core.$ZodObject<Fields>,
	fields: { readonly [Field in keyof Fields & string]: FieldDoc },
): FieldsDoc {
	return { schema: schema(), fields };
}

/** A body, under its name. */
export function bodyOf<Fields extends Shape>(
	name: string,
	description: string,
	schema: () => z.core.$ZodObject<Fields>,
	fields: { readonly [Field in keyof Fields & string]: FieldDoc },
): BodyDoc {
	return { name, description, schema: schema(), fields };
}
