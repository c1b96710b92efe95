import * as z from 'zod/mini';
import { InviteRequest, MemberChangeRequest } from '../../../http/management/accounts/members.ts';
import { PageQuery } from '../../../http/page.ts';
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
		id: is(Id, 'Id of the membership.'),
		user: is(User, 'Who it is.'),
		role: is(RoleName, 'What they may do: owners and admins write, members read.'),
		active: is(z.boolean(), 'False: deactivated, so that nothing of the workspace opens to them.'),
		since: is(Instant, 'When they joined, UTC.'),
	}),
);

const invitation = {
	id: is(Id, 'Id of the invitation.'),
	email: is(Text, 'Whom it was made out to, in lower case.'),
	role: is(RoleName, 'What they are to be.'),
	invited_by: is(z.object({ id: is(Id, 'Id of the person.'), name: is(Text, 'What they are called.') }), 'Who invited them.'),
	created_at: is(Instant, 'When it was made, UTC.'),
	expires_at: is(Instant, 'Until when someone can join by it, UTC: seven days.'),
};

const Invitation = named('Invitation', 'A link that someone can join by.', z.object(invitation));

const NewInvitation = named(
	'NewInvitation',
	'An invitation that was just made, with its link.',
	z.object({
		...invitation,
		invitation_url: is(Text, 'The link, to be handed to the invited person: it works once, and is not shown again.'),
		mailed: Mailed,
	}),
);

const MEMBER = { memberId: 'Id of the membership.' } as const;
const ROLE = '`owner`, `admin` or `member`. Only owners make owners.';
const UNKNOWN = notFound('Member', 'There is no such member in this workspace.');
const CONFLICTS = [
	conflict('A workspace needs an active owner: make another member an owner first', 'It is the last one.'),
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
			'Creates a link that works once and expires in seven days. It replaces an open invitation for the same address, whose link stops working. Only owners can invite owners or replace the invitation of an owner. An invitation ends when its creator loses the membership or role that allowed it.',
		body: bodyOf('InviteRequest', 'Whom to invite.', InviteRequest, {
			email: 'E-mail address, in any letter case. At most 254 characters.',
			role: ROLE,
		}),
		answers: { 201: { description: 'The invitation, with its link.', schema: answerOf(NewInvitation, 'The new invitation.') } },
		errors: [
			...rankErrors('owner'),
			conflict('Your role has changed: reload and try again', 'Another request changed it at the same time.'),
			conflict('email belongs to an active member', 'There is nothing to invite them to.'),
			conflict('{number} invitations are open: withdraw one first', 'The workspace has as many as it may have, 100.'),
		],
		examples: [
			{ name: 'invite', summary: 'An admin', body: { email: 'Nell@people.example', role: 'admin' } },
			{ name: 'member', summary: 'Who is a member', body: { email: 'mia@people.example', role: 'admin' }, status: 409 },
		],
	},
	{
		method: 'get',
		path: '/members',
		atLeast: 'member',
		id: 'listMembers',
		summary: 'List members and invitations',
		description: 'The members of a workspace by their numbers, deactivated ones too, and with each page all open invitations.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of members.',
				schema: successful({
					data: is(
						z.object({
							members: is(z.array(Member), 'Members, by their numbers.'),
							invitations: is(z.array(Invitation), 'Open invitations of members, newest first: at most 100.'),
						}),
						'Who is in the workspace, and who may come.',
					),
					meta: is(PageMeta, 'The page that follows.'),
				}),
			},
		},
		examples: [{ name: 'members', summary: 'Everybody' }],
	},
	{
		method: 'patch',
		path: '/members/:memberId',
		atLeast: 'admin',
		id: 'changeMember',
		summary: 'Change a member',
		description:
			'Changes a member’s role, or deactivates or reactivates them. A deactivated member has no access to this workspace but keeps other workspaces. Missing fields do not change. Only owners can change owners. The last active owner must stay an owner.',
		params: MEMBER,
		body: bodyOf('MemberChangeRequest', 'At least one field to change.', MemberChangeRequest, {
			role: ROLE,
			active: 'False: nothing of the workspace opens to them, until it is true again.',
		}),
		answers: { 200: { description: 'The member as it is now.', schema: answerOf(Member, 'The member.') } },
		errors: [...rankErrors('owner'), UNKNOWN, ...CONFLICTS],
		examples: [
			{ name: 'role', summary: 'An admin', params: { memberId: 4 }, body: { role: 'admin' } },
			{ name: 'deactivate', summary: 'Nothing opens any more', params: { memberId: 5 }, body: { active: false } },
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
			'Ends a membership; what the person did stays in the audit log, and they may be invited again. Everybody may end their own; those of others end owners and admins, and only owners those of owners. The last active owner cannot leave.',
		params: MEMBER,
		answers: { 200: { description: 'They are no member any more.', schema: nothing } },
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
		description: 'Nobody joins by it any more. Only owners withdraw that of an owner.',
		params: { invitationId: 'Id of the invitation.' },
		answers: { 200: { description: 'The link is dead.', schema: nothing } },
		errors: [
			...rankErrors('owner'),
			notFound('Invitation', 'There is no such open invitation in this workspace.'),
			conflict('The invitation has already been accepted', 'It was used at the same time.'),
		],
		examples: [{ name: 'withdraw', summary: 'An invitation', params: { invitationId: 8 } }],
	},
]);
