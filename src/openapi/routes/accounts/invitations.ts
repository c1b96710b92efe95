import * as z from 'zod/mini';
import { AcceptRequest } from '../../../http/management/accounts/invitations.ts';
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
	token: { text: 'What the link ends in.', json: { type: 'string', pattern: '^inv_[0-9a-f]{40}(-[0-9a-f]{32})?$' } },
} as const;

const ENDED: readonly ErrorDoc[] = [
	notFound('Invitation', 'The link does not exist.'),
	gone('This invitation has already been used. A link works once', 'Someone has joined by it.'),
	gone('This invitation was withdrawn or replaced by a newer one', 'So it is.'),
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
		description: 'What the link is good for, before it is used. Needs no session: who has the link may read it.',
		caller: 'anybody',
		isLimited: true,
		params: PARAMS,
		answers: {
			200: {
				description: 'Someone can join by it.',
				schema: answerOf(
					z.object({
						workspace_name: is(Text, 'What the workspace is called.'),
						invited_by: is(Text, 'The name of who invited.'),
						email: is(Text, 'Whom it was made out to, such as `m…@people.example`.'),
						role: is(z.nullable(RoleName), 'What who joins may do as a member; null: they become a partner.'),
						partner: is(
							z.nullable(
								z.object({
									name: is(Text, 'Name of the partner in the workspace.'),
									programs: is(
										z.array(
											z.object({ name: is(Text, 'What the program is called.'), domain: is(z.nullable(Text), 'Domain of the shop.') }),
										),
										'The programs that the partner is in.',
									),
								}),
							),
							'The partner that who joins is; null: they become a member.',
						),
						expires_at: is(Instant, 'Until when it works, UTC.'),
					}),
					'The invitation.',
				),
			},
			303: {
				description: 'Where `Accept` names `text/html`, as of a browser: to the page for it.',
				headers: { Location: '`/invitation#token=...`.' },
			},
		},
		errors: ENDED,
		examples: [
			{ name: 'invitation', summary: 'An open invitation', params: { token: INVITATIONS.ofOtto } },
			{ name: 'partner', summary: 'Of a partner', params: { token: INVITATIONS.ofPia } },
			{ name: 'expired', summary: 'An old one', params: { token: INVITATIONS.expired }, status: 410 },
		],
	},
	{
		method: 'post',
		path: '/api/v1/invitations/:token/accept',
		id: 'acceptInvitation',
		tag: 'Workspaces',
		summary: 'Accept an invitation',
		description:
			'A person who is signed in sends no body and joins, whatever their email address is: the link is the proof. A person without an account sends `name` and `password`, gets an account with the invited address and is signed in, even if `SIGN_UP` is `invite`. A deactivated or removed member becomes a member again. With a partner invitation, the person becomes that partner, with links, earnings and payouts under `/api/v1/partner-programs/:id`.',
		caller: 'session or anybody',
		params: PARAMS,
		body: {
			...bodyOf('AcceptRequest', 'The new person. Nothing, or `{}`, for who is signed in.', AcceptRequest, {
				name: 'What the person is called, 1 to 120 characters.',
				password: NEW_PASSWORD,
				cookie: COOKIE,
			}),
			isOptional: true,
		},
		answers: {
			201: {
				description: 'They are a member, or a partner.',
				headersAtTimes: SET_COOKIE,
				schema: answerOf(
					z.object({
						token: is(Token, 'The session token of a new person. Not there for who was signed in, nor where the session is in a cookie.'),
						user: is(User, 'Who joined.'),
						workspace: is(z.nullable(Workspace), 'What they joined as a member; null: they are a partner.'),
						partner_account: is(z.nullable(PartnerAccount), 'What they are now; null: a member.'),
					}),
					'Who joined, and what.',
				),
			},
		},
		errors: [
			NOT_OWN_PAGE,
			TOO_EASY,
			...ENDED,
			conflict('You are already an active member of this workspace', 'The link is still good for someone else.'),
			conflict('The partner account already belongs to someone else', 'Someone has become that partner meanwhile.'),
			conflict(
				'The invited address already has an account. Sign in, then accept the invitation',
				'`name` and `password` were sent, and there is a person.',
			),
		],
		examples: [
			{
				name: 'sign_up',
				summary: 'Someone new',
				as: 'nobody',
				params: { token: INVITATIONS.ofOtto },
				body: { name: 'Otto', password: 'a long enough password' },
			},
			{ name: 'signed_in', summary: 'Who is signed in', as: 'guest', params: { token: INVITATIONS.ofGuest } },
			{ name: 'partner', summary: 'As a partner', as: 'guest', params: { token: INVITATIONS.ofPia } },
			{ name: 'used', summary: 'A link works once', as: 'guest', params: { token: INVITATIONS.ofOtto }, status: 410 },
		],
	},
];
