import * as z from 'zod/mini';
import { ConfirmRequest, RESET_ASKED, ResetRequest } from '../../../http/management/accounts/password-reset.ts';
import { answerOf } from '../../answers.ts';
import { invalid } from '../../errors.ts';
import { is } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';
import { User } from './auth.ts';
import { EMAIL, NEW_PASSWORD, TOO_EASY, TOO_MANY_TRIES } from './account-fields.ts';

export const passwordReset = routesFor({ tag: 'Accounts', caller: 'anybody', isLimited: true }, [
	{
		method: 'post',
		path: '/api/v1/auth/password-reset',
		id: 'askPasswordReset',
		summary: 'Ask for a link to reset the password',
		description:
			'The link is mailed if email is on. The answer is the same, after the same time, whether the address has an account or not. Without mail, whoever holds the Cloudflare account makes a link: `npm run recover -- --email <address> --remote`.',
		body: bodyOf('PasswordResetRequest', 'Whose password is lost.', ResetRequest, { email: EMAIL }),
		answers: {
			200: {
				description: 'It was asked for.',
				schema: answerOf(
					z.object({
						message: is(z.literal(RESET_ASKED), 'What to expect, in plain English.'),
						sends_mail: is(z.boolean(), 'Whether this service sends email. If not, nobody receives a link.'),
					}),
					'What comes next.',
				),
			},
		},
		errors: [TOO_MANY_TRIES],
		examples: [{ name: 'ask', summary: 'Ada has lost her password', body: { email: 'ada@shop.example' } }],
	},
	{
		method: 'post',
		path: '/api/v1/auth/password-reset/confirm',
		id: 'resetPassword',
		summary: 'Reset the password',
		description:
			'Sets a new password by the token of a link, which works once and for an hour. It ends every session of the person and every other link. Nobody is signed in by it.',
		body: bodyOf('PasswordResetConfirmation', 'The token and the new password.', ConfirmRequest, {
			token: 'The token of the link, of the form `rst_...`.',
			new_password: NEW_PASSWORD,
		}),
		answers: {
			200: {
				description: 'The new password is in force.',
				headersAtTimes: { 'Set-Cookie': 'A cookie by which the browser is known when passwords are tried. It opens nothing.' },
				schema: answerOf(z.object({ user: is(User, 'Who signs in with it.') }), 'Whose password it is.'),
			},
		},
		errors: [
			TOO_EASY,
			invalid(
				'token is unknown, already used or expired. Request a new link',
				'No link that still works has this token, or its person is deactivated.',
			),
		],
		examples: [
			{
				name: 'reset',
				summary: 'A new password',
				bodyIn: ({ resetToken }) => ({ token: resetToken, new_password: 'correct horse battery' }),
			},
			{
				name: 'used',
				summary: 'The same link again',
				bodyIn: ({ resetToken }) => ({ token: resetToken, new_password: 'correct horse battery' }),
				status: 400,
			},
		],
	},
]);
