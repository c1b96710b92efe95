import * as z from 'zod/mini';
import { RevealRequest, RotateRequest } from '../../http/management/api-token.ts';
import { answerOf, Instant } from '../answers.ts';
import { conflict, forbidden, notFound } from '../errors.ts';
import { is } from '../json-schema.ts';
import { bodyOf } from '../operation.ts';
import { underProgram } from '../under.ts';

const ApiToken = is(
	z.string().check(z.regex(/^prg_[0-9a-f]{40}$/)),
	'The program key, for `Authorization: Bearer`. Keep it on your backend.',
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
			forbidden('password is wrong', 'It is not your password.'),
			conflict('The key was rotated meanwhile: reveal the new one, or rotate again', 'Another rotation came first.'),
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
		body: bodyOf('RevealRequest', 'The password.', RevealRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'The key.', schema: answerOf(z.object({ api_token: ApiToken }), 'The key.') } },
		errors: [forbidden('password is wrong', 'It is not your password.'), notFound('Program key', 'The program has no current key.')],
		examples: [
			{ name: 'reveal', summary: 'The key of program 1', body: { password: 'correct horse battery' } },
			{ name: 'wrong_password', summary: 'A wrong password', body: { password: 'no idea' }, status: 403 },
		],
	},
]);
