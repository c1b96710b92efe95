import * as z from 'zod/mini';
import { PasswordChangeRequest, SignInRequest, SignUpRequest, type auth as authRoutes } from '../../../http/management/accounts/auth.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, nothing, Text } from '../../answers.ts';
import { conflict, forbidden, invalid, rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { CLEAR_COOKIE, COOKIE, EMAIL, NEW_PASSWORD, NOT_OWN_PAGE, SET_COOKIE, TOO_EASY, TOO_MANY_TRIES } from './account-fields.ts';
import { sessions } from './sessions.ts';

export const User = named(
	'User',
	'A person.',
	z.object({
		id: is(Id, "The person's id."),
		email: is(Text, 'Email address, in lower case.'),
		name: is(Text, "The person's name."),
	}),
);

export const Token = is(
	z.optional(z.string().check(z.regex(/^ses_[0-9a-f]{40}$/))),
	'The session token, for `Authorization: Bearer`. It lasts 30 days and is not shown again. Omitted if the session is in a cookie.',
);

export const auth: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/auth/sign-up',
		id: 'signUp',
		tag: 'Accounts',
		summary: 'Sign up',
		description:
			'Creates a person with a workspace and signs them in. If `SIGN_UP` is `invite`, the default when deployed, only the first person can sign up, with the setup token. Others accept an invitation.',
		caller: 'anybody',
		isLimited: true,
		body: bodyOf('SignUpRequest', 'The new person.', SignUpRequest, {
			email: EMAIL,
			password: NEW_PASSWORD,
			name: "The person's name, 1 to 120 characters.",
			workspace_name: "The workspace's name, 1 to 120 characters. By default, it is named after the person.",
			setup_token:
				'The secret `SETUP_TOKEN` of the deployment, at most 1,000 characters. Required for the first owner if `SIGN_UP` is `invite`.',
			cookie: COOKIE,
		}),
		answers: {
			201: {
				description: 'The person is signed up and signed in.',
				headersAtTimes: SET_COOKIE,
				schema: answerOfRoute<typeof authRoutes, '/sign-up', '$post'>()(
					answerOf(
						z.object({
							token: Token,
							user: is(User, 'The new person.'),
							workspace: is(
								z.object({ id: is(Id, "The workspace's id."), name: is(Text, "The workspace's name.") }),
								'Their workspace, which they own.',
							),
						}),
						'The session, the person and their workspace.',
					),
				),
			},
		},
		errors: [
			NOT_OWN_PAGE,
			TOO_EASY,
			forbidden(
				'Sign-up is by invitation only. The first owner must send the setup_token',
				'`SIGN_UP` is `invite`, and `setup_token` is missing or wrong.',
			),
			forbidden(
				'The first owner has already signed up. Ask them for an invitation',
				'`SIGN_UP` is `invite`, and someone has already signed up.',
			),
			conflict('email is taken: sign in instead', 'A user with this email address already exists.'),
		],
		examples: [
			{
				name: 'sign_up',
				summary: 'A person with a workspace of their own',
				body: { email: 'grace@shop.example', password: 'a long enough password', name: 'Grace', workspace_name: "Grace's shop" },
			},
			{
				name: 'taken',
				summary: 'An address that has an account',
				body: { email: 'ada@shop.example', password: 'a long enough password', name: 'Ada' },
				status: 409,
			},
		],
	},
	{
		method: 'post',
		path: '/api/v1/auth/sign-in',
		id: 'signIn',
		tag: 'Accounts',
		summary: 'Sign in',
		description: 'Starts a session. The response is the same, after the same time, for an unknown address and a wrong password.',
		caller: 'anybody',
		isLimited: true,
		body: bodyOf('SignInRequest', 'The credentials.', SignInRequest, {
			email: EMAIL,
			password: 'At most 200 characters.',
			cookie: COOKIE,
		}),
		answers: {
			200: {
				description: 'Signed in.',
				headersAtTimes: SET_COOKIE,
				schema: answerOfRoute<typeof authRoutes, '/sign-in', '$post'>()(
					answerOf(z.object({ token: Token, user: is(User, 'The person who signed in.') }), 'The session and the person.'),
				),
			},
		},
		errors: [NOT_OWN_PAGE, TOO_MANY_TRIES, rejected('sign_in_failed', 'No active person has this address and password.')],
		examples: [
			{ name: 'sign_in', summary: 'Ada signs in', body: { email: 'ada@shop.example', password: 'correct horse battery' } },
			{
				name: 'foreign_page',
				summary: 'A cookie for a foreign page',
				body: { email: 'ada@shop.example', password: 'correct horse battery', cookie: true },
				status: 403,
			},
			{
				name: 'wrong_password',
				summary: 'A wrong password',
				body: { email: 'ada@shop.example', password: 'no idea' },
				status: 401,
			},
		],
	},
	{
		method: 'post',
		path: '/api/v1/auth/password',
		id: 'changePassword',
		tag: 'Accounts',
		summary: 'Change the password',
		description: "Also ends the person's other sessions and invalidates their password reset links.",
		caller: 'session',
		isLimited: true,
		body: bodyOf('PasswordChangeRequest', 'The old password and the new one.', PasswordChangeRequest, {
			old_password: 'The current password. At most 200 characters.',
			new_password: NEW_PASSWORD,
		}),
		answers: {
			200: { description: 'The password is changed.', schema: answerOfRoute<typeof authRoutes, '/password', '$post'>()(nothing) },
		},
		errors: [
			TOO_EASY,
			invalid('new_password is your current password. Choose another one', 'Both fields are equal.'),
			forbidden('old_password is wrong', 'It is not the current password.'),
			TOO_MANY_TRIES,
			conflict('The password has changed: sign in again', 'Another request changed it at the same time.'),
		],
		examples: [
			{
				name: 'password',
				summary: 'A new password',
				as: 'leaver',
				body: { old_password: 'correct horse battery', new_password: 'a brand new password' },
			},
			{
				name: 'wrong_password',
				summary: 'A wrong old password',
				as: 'leaver',
				body: { old_password: 'no idea', new_password: 'a brand new password' },
				status: 403,
			},
		],
	},
	...sessions,
	{
		method: 'post',
		path: '/api/v1/auth/sign-out',
		id: 'signOut',
		tag: 'Accounts',
		summary: 'Sign out',
		description: "Ends this request's session. The person's others continue.",
		caller: 'session',
		answers: {
			200: {
				description: 'The session has ended.',
				schema: answerOfRoute<typeof authRoutes, '/sign-out', '$post'>()(nothing),
				headersAtTimes: CLEAR_COOKIE,
			},
		},
		examples: [{ name: 'sign_out', summary: 'The session ends', as: 'leaver' }],
	},
];
