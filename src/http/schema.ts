import * as z from 'zod';
import { invalid, Rejection } from '../domain/rejection.ts';

// The field types that request schemas share. A message without a field's name gets it from firstProblem.

/** The largest id: SQLite row ids on the wire are JSON numbers. */
export const Id = z.int('must be an integer').positive('must be a positive integer');

const CONTROL = /\p{Cc}/u;

/** An identifier: not blank, no control characters, at most 255 characters. */
export function Identifier(limit = 255) {
	return z
		.string('must be a string')
		.refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
		.refine((text) => !CONTROL.test(text), 'must not contain control characters')
		.refine((text) => text.length <= limit, `must be at most ${limit} characters`)
		.refine((text) => text.trim() !== '', 'must not be blank');
}

/** Free text: may hold line breaks. */
export function FreeText(limit: number) {
	return z
		.string('must be a string')
		.refine((text) => text.isWellFormed() && !text.includes('\u0000'), 'must be well-formed Unicode without NUL')
		.refine((text) => text.length <= limit, `must be at most ${limit} characters`);
}

/** An e-mail address, trimmed and in lower case. */
export const Email = z
	.string('must be a string')
	.transform((text) => text.trim().toLowerCase())
	.refine(
		(text) => text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && !CONTROL.test(text) && text.isWellFormed(),
		'must be an e-mail address',
	);

/** The parsed value. Rejects with the first problem: 400 that names the field and what is expected. */
export function parse<Output>(schema: z.ZodType<Output>, value: unknown): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw firstProblem(result.error);
}

/** A message that starts in lower case goes behind the field's path; one of the contract's stands as it is. */
export function firstProblem(error: z.core.$ZodError): Rejection {
	const issue = error.issues[0];
	if (!issue) return invalid('Request is invalid');
	if (issue.path.length === 0 && issue.code === 'invalid_type') return invalid('Request body must be a JSON object');
	const path = issue.path.map(String).join('.');
	return invalid(
		path !== '' && /^[a-z]/.test(issue.message) && !issue.message.startsWith(path) ? `${path} ${issue.message}` : issue.message,
	);
}
