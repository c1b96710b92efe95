import * as z from 'zod/mini';
import { PasswordRequest } from '../../../http/fields.ts';
import { RotateRequest, type apiToken as apiTokenRoutes } from '../../../http/management/accounts/api-token.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from './account-fields.ts';

const ApiToken = is(
	z.string().check(z.regex(/^prg_[0-9a-f]{40}$/)),
	'The program key, for `Authorization: Bearer`. Keep it on your backend.',
);

const ProgramKey = named(
	'ProgramKey',
	'A program key, masked.',
	z.object({
		id: is(Id, "The key's id."),
		prefix: is(Text, 'The first characters, to distinguish keys.'),
		current: is(z.boolean(), 'Whether it is the current key, which can be revealed. Earlier keys work until their overlap ends.'),
		created_at: is(Instant, 'When it was created, in UTC.'),
		last_used_at: is(z.nullable(Instant), 'When a lead, sale or refund was last sent with it, to the hour, in UTC; null if never.'),
		expires_at: is(z.nullable(Instant), 'When it expires, in UTC; null for the current key.'),
	}),
);

export const apiToken = underProgram('Programs', '/api-token', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'rotateProgramKey',
		summary: 'Rotate the program key',
		description:
			'Creates a new key. Earlier keys keep working until the overlap ends, so that you can switch your backend over. Requires your password.',
		body: bodyOf('RotateRequest', 'The password, and how long earlier keys keep working.', RotateRequest, {
			password: 'Your password. At most 200 characters.',
			overlap_hours: 'Hours for which earlier keys keep working, 0 to 720.',
		}),
		answers: {
			201: {
				description: 'The new key.',
				schema: answerOfRoute<typeof apiTokenRoutes, '/', '$post'>()(
					answerOf(
						z.object({ api_token: ApiToken, previous_expires_at: is(Instant, 'When earlier keys expire, in UTC.') }),
						'The new key.',
					),
				),
			},
		},
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			conflict('The key has already been rotated: reveal the new one, or rotate again', 'Another request rotated it first.'),
		],
		examples: [
			{
				name: 'rotate',
				summary: 'Earlier keys keep working for two days',
				params: { id: 2 },
				body: { password: 'correct horse battery', overlap_hours: 48 },
			},
		],
	},
	{
		method: 'post',
		path: '/reveal',
		atLeast: 'admin',
		id: 'revealProgramKey',
		summary: 'Reveal the program key',
		description: 'Returns the current key unmasked. Requires your password. Recorded in the audit log.',
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: {
			200: {
				description: 'The key.',
				schema: answerOfRoute<typeof apiTokenRoutes, '/reveal', '$post'>()(answerOf(z.object({ api_token: ApiToken }), 'The key.')),
			},
		},
		errors: [WRONG_PASSWORD, TOO_MANY_TRIES, notFound('Program key', 'The program has no current key.')],
		examples: [
			{ name: 'reveal', summary: 'The key of program 1', body: { password: 'correct horse battery' } },
			{ name: 'wrong_password', summary: 'A wrong password', body: { password: 'no idea' }, status: 403 },
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listProgramKeys',
		summary: 'List the program keys',
		description:
			'The keys that work, masked, newest first: the current key, and earlier ones until their overlap ends. `last_used_at` shows whether a backend still sends an earlier key.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of keys.',
				schema: answerOfRoute<typeof apiTokenRoutes, '/', '$get'>()(pageOf(ProgramKey, 'Keys, newest first.')),
			},
		},
		examples: [{ name: 'keys', summary: 'Program 2 during its overlap', params: { id: 2 } }],
	},
	{
		method: 'delete',
		path: '/:keyId',
		atLeast: 'admin',
		id: 'revokeProgramKey',
		summary: 'Revoke a program key',
		description:
			'Ends an earlier key before its overlap is over: calls that still send it get 401. Safe to repeat. To end the current key, rotate it with `overlap_hours` 0. Requires your password.',
		params: { keyId: "The key's id, from the list." },
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'The key is revoked.', schema: answerOfRoute<typeof apiTokenRoutes, '/:keyId', '$delete'>()(nothing) } },
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			notFound('Program key'),
			conflict('This is the current key: to revoke it immediately, rotate it with overlap_hours 0', 'The key has not been rotated.'),
		],
		examples: [
			{ name: 'revoke', summary: 'An earlier key', params: { id: 2, keyId: 2 }, body: { password: 'correct horse battery' } },
			{ name: 'current', summary: 'The current key', params: { keyId: 1 }, body: { password: 'correct horse battery' }, status: 409 },
		],
	},
]);
