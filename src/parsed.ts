import * as z from 'zod/mini';

/** A schema for text that `parse` converts. The text is invalid if `parse` returns undefined. */
export function Parsed<Value>(message: string, parse: (text: string) => Value | undefined, wrongType = message) {
	return z.pipe(
		z.string(wrongType),
		z.transform((text: string, refinement): Value => {
			const value = parse(text);
			if (value !== undefined) return value;
			refinement.issues.push({ code: 'custom', message, input: text });
			return z.NEVER;
		}),
	);
}
