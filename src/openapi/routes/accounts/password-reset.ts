import * as z from 'zod/mini';
import {
	ConfirmRequest,
	RESET_ASKED,
	ResetRequest,
	type passwordReset as passwordResetRoutes,
} from '../../../http/management/accounts/password-reset.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
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
		summary: 'Request a password reset link',
		description:
			'The link is emailed if email is on. The response is the same, after the same time, whether the address has an account or not. If email is off, someone with access to the Cloudflare account creates a link: `npm run recover -- --email <address> --remote`.',
		body: bodyOf('PasswordResetRequest', "The account's address.", ResetRequest, { email: EMAIL }),
		answers: {
			200: {
				description: 'The request is accepted.',
				schema: answerOfRoute<typeof passwordResetRoutes, '/', '$post'>()(
					answerOf(
						z.object({
							message: is(z.literal(RESET_ASKED), 'What to expect, in plain English.'),
							sends_mail: is(z.boolean(), 'Whether this service sends email. If false, no link is sent.'),
						}),
						'What to expect.',
					),
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
			"Sets a new password with the token of a link, which works once, for an hour. Ends the person's sessions and invalidates their other links. Does not sign them in.",
		body: bodyOf('PasswordResetConfirmation', 'The token and the new password.', ConfirmRequest, {
			token: 'The token of the link, of the form `rst_...`.',
			new_password: NEW_PASSWORD,
		}),
		answers: {
			200: {
				description: 'The password is changed.',
				headersAtTimes: { 'Set-Cookie': 'A cookie that identifies the browser when passwords are tried. It grants no access.' },
				schema: answerOfRoute<typeof passwordResetRoutes, '/confirm', '$post'>()(
					answerOf(z.object({ user: is(User, 'The person.') }), 'The person whose password was reset.'),
				),
			},
		},
		errors: [
			TOO_EASY,
			invalid(
				'token is unknown, already used or expired. Request a new link',
				'No valid link has this token, or its person is deactivated.',
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
