import type { ExtractSchema } from 'hono/types';
import type * as z from 'zod/mini';

/** What a route answers if it succeeds. */
type Answer<
	Routes,
	Path extends keyof ExtractSchema<Routes>,
	Method extends keyof ExtractSchema<Routes>[Path],
> = ExtractSchema<Routes>[Path][Method] extends { output: infer Output } ? Extract<Output, { success: true }> : never;

/** Fields that one always has and the other lacks, by their paths. */
type Missing<Has, Lacks> = Has extends readonly (infer One)[]
	? Lacks extends readonly (infer Other)[]
		? Missing<One, Other>
		: 'is not a list'
	: string extends keyof Has
		? never
		: Has extends object
			? {
					[Field in keyof Has & string]: Field extends keyof Lacks
						? `${Field}.${Missing<NonNullable<Has[Field]>, NonNullable<Lacks[Field]>>}`
						: object extends Pick<Has, Field>
							? never
							: Field;
				}[keyof Has & string]
			: never;

type Undescribed<Output, Schema extends z.core.$ZodType> = Missing<Output, z.infer<Schema>>;
type Invented<Output, Schema extends z.core.$ZodType> = Missing<z.infer<Schema>, Output>;

type Drift<Output, Schema extends z.core.$ZodType> = [Undescribed<Output, Schema> | Invented<Output, Schema>] extends [never]
	? unknown
	: { undescribed: Undescribed<Output, Schema>; invented: Invented<Output, Schema> };

/** Compiles only if the schema describes each field that the route answers, and no other. */
export function answerOfRoute<Routes, Path extends keyof ExtractSchema<Routes>, Method extends keyof ExtractSchema<Routes>[Path]>() {
	return <Schema extends z.core.$ZodType>(schema: Schema & Drift<Answer<Routes, Path, Method>, Schema>): Schema => schema;
}
