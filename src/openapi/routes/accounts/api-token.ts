import * as z from 'zod/mini';
import { PasswordRequest } from '../../../http/fields.ts';
import { RotateRequest } from '../../../http/management/accounts/api-token.ts';
import { PageQuery } from '../../../http/page.ts';
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
		id: is(Id, 'Id of the key.'),
		prefix: is(Text, 'The first characters, to tell keys apart.'),
		current: is(z.boolean(), 'Whether it is the one that is revealed; every other was rotated, and works until its overlap ends.'),
		created_at: is(Instant, 'When it was made, UTC.'),
		last_used_at: is(z.nullable(Instant), 'The hour of the last lead, sale or refund with this key, UTC; null: never used.'),
		expires_at: is(z.nullable(Instant), 'When it ends, UTC; null for the current one.'),
	}),
);

export const apiToken = underProgram('Programs', '/api-token', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'rotateProgramKey',
		summary: 'Make a new program key',
		description:
			'Keys made before work on until the overlap ends, so that a backend can be changed over. Asks for your password once more.',
		body: bodyOf('RotateRequest', 'The password, and how long earlier keys work on.', RotateRequest, {
			password: 'Your password. At most 200 characters.',
			overlap_hours: 'Hours for which earlier keys work on, 0 to 720.',
		}),
		answers: {
			201: {
				description: 'The new key. It is shown once.',
				schema: answerOf(
					z.object({ api_token: ApiToken, previous_expires_at: is(Instant, 'When earlier keys end, UTC.') }),
					'The new key.',
				),
			},
		},
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			conflict('The key has already been rotated: reveal the new one, or rotate again', 'Another rotation was first.'),
		],
		examples: [
			{
				name: 'rotate',
				summary: 'Earlier keys work on for two days',
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
		summary: 'Show the program key',
		description: 'The current key in clear, once the password is entered again. Goes into the audit log.',
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'The key.', schema: answerOf(z.object({ api_token: ApiToken }), 'The key.') } },
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
			'The valid keys, masked, newest first: the current one, and earlier ones until their overlap ends. `last_used_at` shows whether a backend still uses an earlier one.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of keys.', schema: pageOf(ProgramKey, 'Keys, newest first.') } },
		examples: [{ name: 'keys', summary: 'Of program 2, in its overlap', params: { id: 2 } }],
	},
	{
		method: 'delete',
		path: '/:keyId',
		atLeast: 'admin',
		id: 'revokeProgramKey',
		summary: 'End a program key',
		description:
			'At once, before its overlap is over: whoever still sends it is answered 401. One that has ended already is fine. The current key ends by a new one with `overlap_hours` 0. Asks for your password once more.',
		params: { keyId: 'Id of the key, from the list.' },
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'It has ended.', schema: nothing } },
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			notFound('Program key'),
			conflict('This is the current key: to end it at once, rotate it with overlap_hours 0', 'It has not been rotated.'),
		],
		examples: [
			{ name: 'revoke', summary: 'The one that was rotated', params: { id: 2, keyId: 2 }, body: { password: 'correct horse battery' } },
			{ name: 'current', summary: 'The current one', params: { keyId: 1 }, body: { password: 'correct horse battery' }, status: 409 },
		],
	},
]);
