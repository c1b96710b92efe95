import * as z from 'zod/mini';
import { AcceptRequest, type invitations as invitationRoutes } from '../../../http/management/accounts/invitations.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Instant, Text } from '../../answers.ts';
import { conflict, type ErrorDoc, notFound } from '../../errors.ts';
import { INVITATIONS } from '../../example-world.ts';
import { is } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { COOKIE, NEW_PASSWORD, NOT_OWN_PAGE, SET_COOKIE, TOO_EASY } from './account-fields.ts';
import { Token, User } from './auth.ts';
import { PartnerAccount } from './me.ts';
import { RoleName, Workspace } from './workspaces.ts';

const PARAMS = {
	token: { text: 'The last part of the link.', json: { type: 'string', pattern: '^inv_[0-9a-f]{40}(-[0-9a-f]{32})?$' } },
} as const;

const ENDED: readonly ErrorDoc[] = [
	notFound('Invitation', 'The link does not exist.'),
	gone('This invitation has already been used. A link works once', 'Someone has joined with it.'),
	gone('This invitation was withdrawn or replaced by a newer one', 'It was withdrawn or replaced.'),
	gone('This invitation has expired. Ask for a new one', 'It is older than seven days.'),
];

function gone(text: string, when: string): ErrorDoc {
	return { status: 410, text, when };
}

export const invitations: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/invitations/:token',
		id: 'readInvitation',
		tag: 'Workspaces',
		summary: 'Read an invitation',
		description: 'Shows what an invitation is for. Needs no session: anyone who has the link may read it.',
		caller: 'anybody',
		isLimited: true,
		params: PARAMS,
		answers: {
			200: {
				description: 'The invitation is open.',
				schema: answerOfRoute<typeof invitationRoutes, '/:token', '$get'>()(
					answerOf(
						z.object({
							workspace_name: is(Text, "The workspace's name."),
							invited_by: is(Text, 'The name of the inviter.'),
							email: is(Text, 'The invited address. A new account signs in with it.'),
							role: is(z.nullable(RoleName), "The new member's role; null if the person becomes a partner."),
							partner: is(
								z.nullable(
									z.object({
										name: is(Text, "The partner's name in the workspace."),
										programs: is(
											z.array(z.object({ name: is(Text, "The program's name."), domain: is(z.nullable(Text), "The shop's domain.") })),
											'The programs that the partner is in.',
										),
									}),
								),
								'The partner that the person becomes; null if they become a member.',
							),
							expires_at: is(Instant, 'When the invitation expires, in UTC.'),
						}),
						'The invitation.',
					),
				),
			},
			303: {
				description: "Redirects to the invitation's page if `Accept` has `text/html`, as browsers send.",
				headers: { Location: '`/invitation#token=...`.' },
			},
		},
		errors: ENDED,
		examples: [
			{ name: 'invitation', summary: 'An open invitation', params: { token: INVITATIONS.ofOtto } },
			{ name: 'partner', summary: 'A partner invitation', params: { token: INVITATIONS.ofPia } },
			{ name: 'expired', summary: 'An expired invitation', params: { token: INVITATIONS.expired }, status: 410 },
		],
	},
	{
		method: 'post',
		path: '/api/v1/invitations/:token/accept',
		id: 'acceptInvitation',
		tag: 'Workspaces',
		summary: 'Accept an invitation',
		description:
			'If you are signed in, send no body. You can join with any address: having the link is enough. If you have no account, send `name` and `password` to create one with the invited address and sign in, even if `SIGN_UP` is `invite`. A deactivated or removed member becomes a member again. A partner invitation makes you that partner: links, earnings and payouts are under `/api/v1/partner-programs/:id`.',
		caller: 'session or anybody',
		params: PARAMS,
		body: {
			...bodyOf('AcceptRequest', 'The new person. Send nothing or `{}` if you are signed in.', AcceptRequest, {
				name: "The person's name, 1 to 120 characters.",
				password: NEW_PASSWORD,
				cookie: COOKIE,
			}),
			isOptional: true,
		},
		answers: {
			201: {
				description: 'The person is now a member or a partner.',
				headersAtTimes: SET_COOKIE,
				schema: answerOfRoute<typeof invitationRoutes, '/:token/accept', '$post'>()(
					answerOf(
						z.object({
							token: is(Token, 'The session token of a new person. Omitted if they were signed in or the session is in a cookie.'),
							user: is(User, 'The person who joined.'),
							workspace: is(z.nullable(Workspace), 'The workspace that they joined as a member; null if they are a partner.'),
							partner_account: is(z.nullable(PartnerAccount), 'Their partner account; null if they are a member.'),
						}),
						'The person, and what they joined.',
					),
				),
			},
		},
		errors: [
			NOT_OWN_PAGE,
			TOO_EASY,
			...ENDED,
			conflict('You are already an active member of this workspace', 'Someone else can still use the link.'),
			conflict('The partner account already belongs to someone else', 'Someone else has become that partner.'),
			conflict(
				'The invited address already has an account. Sign in, then accept the invitation',
				'`name` and `password` were sent, but the address has an account.',
			),
		],
		examples: [
			{
				name: 'sign_up',
				summary: 'A new person',
				as: 'nobody',
				params: { token: INVITATIONS.ofOtto },
				body: { name: 'Otto', password: 'a long enough password' },
			},
			{ name: 'signed_in', summary: 'A signed-in person', as: 'guest', params: { token: INVITATIONS.ofGuest } },
			{ name: 'partner', summary: 'A partner invitation', as: 'guest', params: { token: INVITATIONS.ofPia } },
			{ name: 'used', summary: 'A link works once', as: 'guest', params: { token: INVITATIONS.ofOtto }, status: 410 },
		],
	},
];
