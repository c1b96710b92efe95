import * as z from 'zod/mini';
import { InviteRequest, MemberChangeRequest, type members as memberRoutes } from '../../../http/management/accounts/members.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, Instant, Mailed, nothing, PAGE_FIELDS, PageMeta, successful, Text } from '../../answers.ts';
import { conflict, notFound, rankErrors } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underWorkspace } from '../../under.ts';
import { User } from './auth.ts';
import { RoleName } from './workspaces.ts';

const Member = named(
	'Member',
	'A person in a workspace.',
	z.object({
		id: is(Id, "The membership's id."),
		user: is(User, 'The person.'),
		role: is(RoleName, 'The role: owners and admins can write, members can read.'),
		active: is(z.boolean(), 'False if deactivated: the member has no access to the workspace.'),
		since: is(Instant, 'When they joined, in UTC.'),
	}),
);

const invitation = {
	id: is(Id, "The invitation's id."),
	email: is(Text, 'The invited address, in lower case.'),
	role: is(RoleName, "The new member's role."),
	invited_by: is(z.object({ id: is(Id, "The person's id."), name: is(Text, "The person's name.") }), 'The inviter.'),
	created_at: is(Instant, 'When it was created, in UTC.'),
	expires_at: is(Instant, 'When it expires, in UTC: after seven days.'),
};

const Invitation = named('Invitation', 'An invitation to join a workspace.', z.object(invitation));

const NewInvitation = named(
	'NewInvitation',
	'A new invitation, with its link.',
	z.object({
		...invitation,
		invitation_url: is(Text, 'The link for the invited person. It works once and is not shown again.'),
		mailed: Mailed,
	}),
);

const MEMBER = { memberId: "The membership's id." } as const;
const ROLE = '`owner`, `admin` or `member`. Only owners can assign `owner`.';
const UNKNOWN = notFound('Member', 'The workspace has no such member.');
const CONFLICTS = [
	conflict('A workspace needs an active owner: make another member an owner first', 'The member is the last active owner.'),
	conflict('The member has changed: reload and try again', 'Another request changed the member, or your own role, at the same time.'),
];

export const members = underWorkspace('', [
	{
		method: 'post',
		path: '/members',
		atLeast: 'admin',
		id: 'inviteMember',
		summary: 'Invite a member',
		description:
			'Creates a link that works once, for seven days. It replaces an open invitation of the same address, whose link stops working. Only owners can invite an owner or replace such an invitation. An invitation is withdrawn if its creator is deactivated, leaves or loses the role needed to create it.',
		body: bodyOf('InviteRequest', 'The person to invite.', InviteRequest, {
			email: 'Email address, in any letter case. At most 254 characters.',
			role: ROLE,
		}),
		answers: {
			201: {
				description: 'The invitation, with its link.',
				schema: answerOfRoute<typeof memberRoutes, '/members', '$post'>()(answerOf(NewInvitation, 'The new invitation.')),
			},
		},
		errors: [
			...rankErrors('owner'),
			conflict('Your role has changed: reload and try again', 'Another request changed it at the same time.'),
			conflict('email belongs to an active member', 'The person is already a member.'),
			conflict('{number} invitations are open: withdraw one first', 'The workspace has 100 open invitations, the maximum.'),
		],
		examples: [
			{ name: 'invite', summary: 'An admin', body: { email: 'Nell@people.example', role: 'admin' } },
			{ name: 'member', summary: 'An existing member', body: { email: 'mia@people.example', role: 'admin' }, status: 409 },
		],
	},
	{
		method: 'get',
		path: '/members',
		atLeast: 'member',
		id: 'listMembers',
		summary: 'List members and invitations',
		description: 'The members of a workspace, ordered by id, including deactivated ones. Each page also has all open invitations.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of members.',
				schema: answerOfRoute<typeof memberRoutes, '/members', '$get'>()(
					successful({
						data: is(
							z.object({
								members: is(z.array(Member), 'Members, ordered by id.'),
								invitations: is(z.array(Invitation), 'Open invitations of members, newest first: at most 100.'),
							}),
							'Members and open invitations.',
						),
						meta: is(PageMeta, 'Pagination details.'),
					}),
				),
			},
		},
		examples: [{ name: 'members', summary: 'All members' }],
	},
	{
		method: 'patch',
		path: '/members/:memberId',
		atLeast: 'admin',
		id: 'changeMember',
		summary: 'Change a member',
		description:
			'Changes the role, or deactivates or reactivates the member in this workspace only. Omitted fields stay unchanged. Only owners can change owners. The last active owner cannot be deactivated or given another role.',
		params: MEMBER,
		body: bodyOf('MemberChangeRequest', 'The changes: at least one field.', MemberChangeRequest, {
			role: ROLE,
			active: 'False removes access to the workspace until it is set to true again.',
		}),
		answers: {
			200: {
				description: 'The changed member.',
				schema: answerOfRoute<typeof memberRoutes, '/members/:memberId', '$patch'>()(answerOf(Member, 'The member.')),
			},
		},
		errors: [...rankErrors('owner'), UNKNOWN, ...CONFLICTS],
		examples: [
			{ name: 'role', summary: 'Make a member an admin', params: { memberId: 4 }, body: { role: 'admin' } },
			{ name: 'deactivate', summary: 'Deactivate a member', params: { memberId: 5 }, body: { active: false } },
			{ name: 'last_owner', summary: 'The only owner', params: { memberId: 1 }, body: { role: 'admin' }, status: 409 },
		],
	},
	{
		method: 'delete',
		path: '/members/:memberId',
		atLeast: 'member',
		id: 'removeMember',
		summary: 'Remove a member, or leave',
		description:
			"Ends a membership. The person's actions stay in the audit log, and they can be invited again. Everyone can end their own membership; owners and admins can end others, but only owners can end an owner's. The last active owner cannot leave.",
		params: MEMBER,
		answers: {
			200: {
				description: 'The person is no longer a member.',
				schema: answerOfRoute<typeof memberRoutes, '/members/:memberId', '$delete'>()(nothing),
			},
		},
		errors: [...rankErrors('admin'), ...rankErrors('owner'), UNKNOWN, ...CONFLICTS],
		examples: [
			{ name: 'remove', summary: 'A member', params: { memberId: 5 } },
			{ name: 'last_owner', summary: 'The only owner', params: { memberId: 1 }, status: 409 },
		],
	},
	{
		method: 'delete',
		path: '/invitations/:invitationId',
		atLeast: 'admin',
		id: 'withdrawInvitation',
		summary: 'Withdraw an invitation',
		description: 'The link stops working. Only owners can withdraw an invitation for an owner.',
		params: { invitationId: "The invitation's id." },
		answers: {
			200: {
				description: 'The invitation is withdrawn.',
				schema: answerOfRoute<typeof memberRoutes, '/invitations/:invitationId', '$delete'>()(nothing),
			},
		},
		errors: [
			...rankErrors('owner'),
			notFound('Invitation', 'The workspace has no such open invitation.'),
			conflict('The invitation has already been accepted', 'It was accepted at the same time.'),
		],
		examples: [{ name: 'withdraw', summary: 'An invitation', params: { invitationId: 8 } }],
	},
]);
