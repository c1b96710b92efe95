import type { ExtractSchema } from 'hono/types';
import type * as z from 'zod/mini';

/** The JSON of a successful answer. */
type Answer<Routes, Path extends keyof ExtractSchema<Routes>, Method extends keyof ExtractSchema<Routes>[Path]> = JsonOf<
	ExtractSchema<Routes>[Path][Method]
>;
type JsonOf<Endpoint> = Endpoint extends { outputFormat: 'json'; output: infer Output } ? Exclude<Output, { error: unknown }> : never;

type FieldOf<Union> = Union extends unknown ? keyof Union : never;
type At<Union, Field> = Union extends unknown ? (Field extends keyof Union ? Union[Field] : never) : never;

/** Whether a type allows fields that it does not name, such as `unknown` and records. */
type IsOpen<Type> = unknown extends Type ? true : string extends FieldOf<Type> ? true : false;

/** The paths of fields that one always has and the other lacks. */
type Missing<Has, Lacks> = true extends IsOpen<Has> | IsOpen<Lacks> ? never : MissingIn<Has, Lacks>;
type MissingIn<Has, Lacks> = Has extends readonly (infer One)[]
	? [Extract<Lacks, readonly unknown[]>] extends [never]
		? 'is not a list'
		: Missing<One, Extract<Lacks, readonly unknown[]>[number]>
	: Has extends object
		? {
				[Field in keyof Has & string]: Field extends FieldOf<Lacks>
					? `${Field}.${Missing<Has[Field], At<Lacks, Field>>}`
					: object extends Pick<Has, Field>
						? never
						: Field;
			}[keyof Has & string]
		: never;

type Undescribed<Output, Schema extends z.core.$ZodType> = Missing<Output, z.infer<Schema>>;
type Invented<Output, Schema extends z.core.$ZodType> = Missing<z.infer<Schema>, Output>;

type Drift<Output, Schema extends z.core.$ZodType> = [Output] extends [never]
	? 'the route has no typed answer'
	: [Undescribed<Output, Schema> | Invented<Output, Schema>] extends [never]
		? unknown
		: { undescribed: Undescribed<Output, Schema>; invented: Invented<Output, Schema> };

/** Compiles only if the schema describes every field that the route answers, and no other. */
export function answerOfRoute<Routes, Path extends keyof ExtractSchema<Routes>, Method extends keyof ExtractSchema<Routes>[Path]>() {
	return <Schema extends z.core.$ZodType>(schema: Schema & Drift<Answer<Routes, Path, Method>, Schema>): Schema => schema;
}
