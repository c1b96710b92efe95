import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import { invalid, notFound, Rejection, REJECTIONS, type RejectionCode } from '../../src/domain/rejection.ts';

interface Answer {
	readonly $ref?: string;
	readonly 'x-errors'?: readonly { readonly error: string }[];
}

interface Described {
	readonly paths: Record<string, Record<string, { readonly responses: Record<string, Answer> }>>;
	readonly components: { readonly responses: Record<string, Answer> };
}

/** Every error in the published description, such as `404 Program not found`. */
function promisedErrors(): string[] {
	const { paths, components }: Described = JSON.parse(readFileSync(join(import.meta.dirname, '../../public/api/openapi.json'), 'utf8'));
	const answers = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ responses }) => Object.entries(responses)));
	const errors = answers.flatMap(([status, answer]) => {
		const meant = answer.$ref === undefined ? answer : components.responses[answer.$ref.split('/').at(-1) ?? ''];
		return (meant?.['x-errors'] ?? []).map(({ error }) => `${status} ${error}`);
	});
	return [...new Set(errors)];
}

describe('every refusal has the text of the published description:', () => {
	const promised = promisedErrors();
	const withWords = Object.entries(REJECTIONS).filter(([, [, text]]) => text !== '{message}');

	test.each(withWords)('%s', (_code, [status, text]) => {
		// Each placeholder is either filled in from the call or named in the description.
		const words = new RegExp(`^${status} ${text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+')}$`);
		expect(promised.filter((error) => words.test(error))).not.toEqual([]);
	});
});

test.each<[RejectionCode, number]>([
	['invalid_input', 400],
	['not_found', 404],
	['conflict', 409],
	['forbidden', 403],
])('%s is a %i in the words of the service', (code, status) => {
	const rejection = new Rejection(code, { message: 'Because' });
	expect(rejection).toMatchObject({ name: 'Rejection', code, status, message: 'Because', fields: {} });
	expect(rejection).toBeInstanceOf(Error);
});

test('values that differ from call to call are filled in', () => {
	expect(new Rejection('too_many_requests', { seconds: 7 })).toMatchObject({
		status: 429,
		message: 'Too many requests. Wait 7 seconds and try again.',
	});
	expect(new Rejection('lead_status_locked', { status: 'conversion' }).message).toMatch(/Current status: conversion$/);
});

test('a missing value leaves a gap, not "undefined"', () => {
	expect(new Rejection('invalid_input').message).toBe('');
});

test('further fields are added beside the error', () => {
	const fields = { statusCode: 409 };
	expect(new Rejection('conflict', { message: 'Taken' }, fields).fields).toEqual(fields);
});

test('the two most frequent refusals have a shorthand', () => {
	expect(invalid('limit must be an integer')).toMatchObject({ code: 'invalid_input', status: 400, message: 'limit must be an integer' });
	expect(notFound('Program')).toMatchObject({ code: 'not_found', status: 404, message: 'Program not found' });
});

test('a fault has a message for the caller, and is not a refusal', () => {
	const fault = new Fault('Sale tracking failed');
	expect(fault).toMatchObject({ name: 'Fault', message: 'Sale tracking failed' });
	expect(fault).not.toBeInstanceOf(Rejection);
});
