import * as z from 'zod/mini';
import { invalid, Rejection } from '../domain/rejection.ts';
import { once } from '../once.ts';

// The field types that request schemas share. A message without a field's name gets it from firstProblem.
// zod/mini: the same schemas as zod's, in a quarter of its size.

/** The id of a row. */
export const Id = once(() => z.int('must be an integer').check(z.positive('must be a positive integer')));

const NO_CONTROL = /^\P{Cc}*$/u;

/** An identifier: not blank, no control characters, at most 255 characters. `wrongType` says what is wrong with anything but a string. */
export function Identifier(limit = 255, wrongType: string | z.core.$ZodStringParams = 'must be a string') {
	return z.string(wrongType).check(
		z.refine((text) => text.isWellFormed(), 'must be well-formed Unicode'),
		z.regex(NO_CONTROL, 'must not contain control characters'),
		z.maxLength(limit, `must be at most ${limit} characters`),
		z.regex(/\S/, 'must not be blank'),
	);
}

/** Free text: may hold line breaks. */
export function FreeText(limit: number) {
	return z.string('must be a string').check(
		z.refine((text) => text.isWellFormed() && !text.includes('\u0000'), 'must be well-formed Unicode without NUL'),
		z.maxLength(limit, `must be at most ${limit} characters`),
	);
}

/** An e-mail address, trimmed and in lower case. */
export const Email = once(() =>
	z
		.pipe(
			z.string('must be a string'),
			z.transform((text: string) => text.trim().toLowerCase()),
		)
		.check(
			z.refine(
				(text) => text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && NO_CONTROL.test(text) && text.isWellFormed(),
				'must be an e-mail address',
			),
		),
);

/** A message that starts in lower case goes behind the field's path; one of the contract's stands as it is. */
export function firstProblem(error: z.core.$ZodError): Rejection {
	const issue = error.issues[0];
	return invalid(issue ? textOf(issue) : 'Request is invalid');
}

/** What an issue reads like in an answer. */
export function textOf(issue: z.core.$ZodIssue): string {
	if (issue.path.length === 0 && issue.code === 'invalid_type') return 'Request body must be a JSON object';
	const path = issue.path.map(String).join('.');
	return path !== '' && /^[a-z]/.test(issue.message) && !issue.message.startsWith(path) ? `${path} ${issue.message}` : issue.message;
}
