import * as z from 'zod/mini';
import { PasswordRequest } from '../../../http/fields.ts';
import { NewPartner, PartnerChanges, PartnerQuery, StatusRequest } from '../../../http/management/partners/partners.ts';
import { answerOf, Cents, Id, Instant, Mailed, nothing, PAGE_FIELDS, PARTNER_SEARCH, searchedPageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';
import { PartnerStatus } from '../accounts/me.ts';
import { MaskedDetails } from '../payouts/payout-details.ts';

export const link = {
	id: is(Id, 'Id of the link.'),
	short_link: is(Text, 'The value of `aff` in the address that the partner spreads. It never changes.'),
	destination_url: is(z.nullable(Text), 'Where the link leads; null: wherever the partner puts `?aff=`.'),
	archived: is(z.boolean(), 'Whether it answers no clicks any more.'),
	created_at: is(Instant, 'When it was made, UTC.'),
};

export const Balance = named(
	'Balance',
	'What a partner has in one currency, in minor units. None is below zero.',
	z.object({
		available: is(Cents, 'What a payout of all that can be paid now would pay.'),
		pending: is(Cents, 'What commissions on hold have left.'),
		debt: is(Cents, 'What is owed by the partner, beyond all that can be paid now: later payouts recover it.'),
	}),
);

export const partner = {
	id: is(Id, 'Id of the partner.'),
	partner_program_id: is(Id, 'Id of the membership.'),
	name: is(Text, 'Name of the partner in the workspace.'),
	email: is(Text, 'E-mail address, in lower case.'),
	accepted: is(z.boolean(), 'Whether someone has accepted the invitation, and so signs in as the partner.'),
	status: PartnerStatus,
	status_reason: is(z.nullable(Text), 'Why it was suspended, resumed or ended, as the partner was told.'),
	group: is(
		z.nullable(z.object({ id: is(Id, 'Id of the group.'), name: is(Text, 'The name.') })),
		'The group whose rules hold where there is none for the partner; null: none.',
	),
	balances: is(
		z.record(z.string(), Balance),
		'What the partner has in the program, by ISO 4217 code. In all it is available + pending - debt.',
	),
	links: is(z.array(named('PartnerLink', 'A link as its partner has it.', z.object(link))), 'The referral links, oldest first.'),
	payout_details: is(z.nullable(MaskedDetails), 'Where the partner is paid, masked; null: the partner has not said.'),
	created_at: is(Instant, 'When the partner joined the program, UTC.'),
};

export const Partner = named('Partner', 'A partner as a member of one program.', z.object(partner));

export const invitation = {
	invitation_url: is(
		z.nullable(Text),
		'The link to be handed to the partner: whoever has it becomes the person who signs in as them, once, within seven days. It is not shown again. Null: someone has accepted before.',
	),
	mailed: Mailed,
};

const AddedPartner = named(
	'AddedPartner',
	'A partner who was just added, with the link of the invitation.',
	z.object({ ...partner, ...invitation }),
);

const PARAMS = { partnerId: 'Id of the partner.' };
const erased = (when: string) => conflict('The partner was erased. Add the person as a new partner with their own email address', when);
const NO_PARTNER = notFound('Partner');
const NO_GROUP = invalid('group_id must be a group of this program', 'It is none, or archived.');

export const partners = underProgram('Partners', '/partners', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'addPartner',
		summary: 'Add a partner',
		description:
			'A partner with a first referral link and an invitation, in place of one that was open. One whom the workspace knows by the e-mail address keeps the name and joins; one whose membership ended joins again.',
		body: bodyOf('NewPartner', 'The partner.', NewPartner, {
			name: 'What you call the partner, 1 to 120 characters.',
			email: 'E-mail address, in any letter case. At most 254 characters.',
			short_link:
				'The value of `aff` of the first link: 1 to 64 of `A-Z a-z 0-9 _ -`, unique over all programs of the service. Made up when left out.',
			group_id: 'Id of the group that the partner joins.',
		}),
		answers: { 201: { description: 'The partner, with the link.', schema: answerOf(AddedPartner, 'The new partner.') } },
		errors: [
			ARCHIVED_ERROR,
			NO_GROUP,
			conflict('short_link {short_link} is taken', 'Another link has it.'),
			conflict('{email} is already a partner of this program', 'The address is that of a member.'),
			erased('The address is what stands for a partner who was erased.'),
		],
		examples: [
			{
				name: 'partner',
				summary: 'With a short_link of your choice',
				body: { name: 'Sam', email: 'sam@partner.example', short_link: 'sam' },
			},
			{
				name: 'taken',
				summary: 'The short_link is taken',
				body: { name: 'Tom', email: 'tom@partner.example', short_link: 'pat' },
				status: 409,
			},
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listPartners',
		summary: 'List partners',
		description: 'The partners of a program with balances and links; those who left too.',
		query: fieldsOf(PartnerQuery, {
			status: 'Only these.',
			group_id: 'Only partners of this group, by its number.',
			search: PARTNER_SEARCH,
			sort: '`newest` first, `oldest` first, by `name`, or the best `match` of a search first: what begins with it, then what has a word that does, then the rest. By default `match` with a search, else `newest`. Stay with one from page to page.',
			...PAGE_FIELDS,
		}),
		answers: { 200: { description: 'A page of partners.', schema: searchedPageOf(Partner, 'Partners.') } },
		examples: [
			{ name: 'partners', summary: 'The partners of program 1' },
			{ name: 'search', summary: 'Active ones with a part of the name', query: { status: 'active', search: 'at' } },
		],
	},
	{
		method: 'post',
		path: '/status',
		atLeast: 'admin',
		id: 'changePartnerStatuses',
		summary: 'Suspend, resume or end several',
		description:
			'All or none; each partner is told, with the reason. While suspended, the links answer no clicks and sales earn nothing, which a resumed partner gets back. What ending does is said there.',
		body: bodyOf('PartnerStatusRequest', 'Which partners, and what they are.', StatusRequest, {
			partner_ids: 'Numbers of 1 to 500 partners.',
			status: '`suspended`, `active` again, or `ended`.',
			reason: 'Why, as the partners are told: up to 500 characters.',
		}),
		answers: { 200: { description: 'So they are now.', schema: nothing } },
		errors: [
			notFound('Partner {id}'),
			conflict('The membership of partner {id} has ended: add the partner again', 'The partner is no longer a member.'),
			conflict('A membership has ended in the meantime. Reload and try again', 'Someone ended it at the same time.'),
		],
		examples: [
			{ name: 'suspend', summary: 'Two are suspended', body: { partner_ids: [2, 3], status: 'suspended', reason: 'Under review.' } },
		],
	},
	{
		method: 'get',
		path: '/:partnerId',
		atLeast: 'member',
		id: 'readPartner',
		summary: 'Read a partner',
		description: 'With balances and links.',
		params: PARAMS,
		answers: { 200: { description: 'The partner.', schema: answerOf(Partner, 'The partner.') } },
		errors: [NO_PARTNER],
		examples: [{ name: 'partner', summary: 'Pat', params: { partnerId: 1 } }],
	},
	{
		method: 'patch',
		path: '/:partnerId',
		atLeast: 'admin',
		id: 'changePartner',
		summary: 'Change a partner',
		description:
			'Renames, suspends or resumes a partner, or changes the group. While suspended, the links answer no clicks and sales earn nothing. Another group counts for sales to come.',
		params: PARAMS,
		body: bodyOf('PartnerChanges', 'At least one field to change.', PartnerChanges, {
			name: 'What you call the partner, 1 to 120 characters.',
			status: '`suspended`, or `active` again.',
			reason: 'Why the status changes, as the partner is told: up to 500 characters. Goes with `status`.',
			group_id: 'Id of the group; null: none.',
		}),
		answers: { 200: { description: 'The partner as it is now.', schema: answerOf(Partner, 'The partner.') } },
		errors: [
			NO_PARTNER,
			NO_GROUP,
			invalid('Send name, status or group_id', 'No field was sent.'),
			invalid('reason goes with status', 'There is no status that it would be for.'),
			conflict('The membership has ended: add the partner again', 'The partner is no longer a member.'),
			erased('Nobody is given a name again.'),
		],
		examples: [
			{
				name: 'suspend',
				summary: 'Quinn is suspended',
				params: { partnerId: 2 },
				body: { status: 'suspended', reason: 'Bids on our name.' },
			},
		],
	},
	{
		method: 'delete',
		path: '/:partnerId',
		atLeast: 'admin',
		id: 'endMembership',
		summary: 'End a membership',
		description:
			'The links keep their `short_link` but have no longer a partner, and the partner leaves the group; commissions and balances stay. With the last membership in the workspace ends an open invitation. Once more is fine.',
		params: PARAMS,
		answers: { 200: { description: 'The partner as it was.', schema: answerOf(Partner, 'The partner, whose status is `ended`.') } },
		errors: [NO_PARTNER],
		examples: [{ name: 'end', summary: 'Robin leaves', params: { partnerId: 3 } }],
	},
	{
		method: 'post',
		path: '/:partnerId/invitation',
		atLeast: 'admin',
		id: 'invitePartner',
		summary: 'Invite a partner anew',
		description:
			'Makes another link, in place of the open one, which is dead then. Whoever has it becomes the person who signs in as the partner, whatever their address: once, within seven days. Also for a membership that has ended: what was earned is still to be read.',
		params: PARAMS,
		answers: {
			201: {
				description: 'The invitation.',
				schema: answerOf(
					z.object({
						partner_id: is(Id, 'Id of the partner.'),
						email: is(Text, 'Whom it was made out to.'),
						expires_at: is(Instant, 'Until when someone can accept by it, UTC: seven days.'),
						invitation_url: is(Text, 'The link, to be handed to the partner. It is not shown again.'),
						mailed: Mailed,
					}),
					'The invitation, with its link.',
				),
			},
		},
		errors: [
			NO_PARTNER,
			conflict('The invitation has already been accepted', 'An owner can take that person off.'),
			conflict('Your role has changed: reload and try again', 'You are no owner or admin any more.'),
			erased('Nobody reads their earnings any more.'),
		],
		examples: [{ name: 'invite', summary: 'Quinn has lost the link', params: { partnerId: 2 } }],
	},
	{
		method: 'delete',
		path: '/:partnerId/person',
		atLeast: 'owner',
		id: 'detachPerson',
		summary: "Take a partner's person off",
		description:
			'For a wrong one who accepted, or one who has left: they read nothing of the partner any more, in no program of the workspace, their payout details go, and someone else can be invited. Asks for your password once more, and tells the person by mail, if email is on. Once more is fine.',
		params: PARAMS,
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'The partner, whom nobody signs in as.', schema: answerOf(Partner, 'The partner.') } },
		errors: [NO_PARTNER, WRONG_PASSWORD, TOO_MANY_TRIES],
		examples: [
			{
				name: 'detach',
				summary: 'Someone else than Pia had the link',
				params: { partnerId: 4 },
				body: { password: 'correct horse battery' },
			},
			{ name: 'wrong_password', summary: 'A wrong password', params: { partnerId: 4 }, body: { password: 'no idea' }, status: 403 },
		],
	},
	{
		method: 'post',
		path: '/:partnerId/erase',
		atLeast: 'admin',
		id: 'erasePartner',
		summary: 'Erase who a partner is',
		description:
			'For good, once every membership in the workspace has ended: name, address, person, payout details, applications, and whom invitations were made out to. Commissions, balances, payouts and the ledger stay, under the number of the partner: pay what is owed first. The account of the person stays theirs. Once more is fine.',
		params: PARAMS,
		answers: { 200: { description: 'What is left of the partner.', schema: answerOf(Partner, 'The partner, without who it is.') } },
		errors: [
			NO_PARTNER,
			conflict('The partner is still in a program of the workspace: end every membership first', 'One is active or suspended.'),
		],
		examples: [
			{ name: 'erase', summary: 'Robin, who has left', params: { partnerId: 3 } },
			{ name: 'member', summary: 'Who is a partner', params: { partnerId: 2 }, status: 409 },
		],
	},
]);
