import * as z from 'zod/mini';
import { PasswordRequest } from '../../../http/fields.ts';
import {
	NewPartner,
	PartnerChanges,
	PartnerQuery,
	StatusRequest,
	type partners as partnerRoutes,
} from '../../../http/management/partners/partners.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, Instant, Mailed, nothing, PAGE_FIELDS, PARTNER_SEARCH, searchedPageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underProgram } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';
import { AddedPartner, Partner } from './partner-fields.ts';

const PARAMS = { partnerId: "The partner's id." };
const erased = (when: string) => conflict('The partner was erased. Add the person as a new partner with their own email address', when);
const NO_PARTNER = notFound('Partner');
const NO_GROUP = invalid('group_id must be a group of this program', 'The group does not exist in this program or is archived.');

export const partners = underProgram('Partners', '/partners', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'addPartner',
		summary: 'Add a partner',
		description:
			'Adds a partner with a first referral link and an invitation, which replaces any open one. If the workspace already has a partner with this email address, that partner keeps their name and joins the program, even if an earlier membership has ended.',
		body: bodyOf('NewPartner', 'The partner.', NewPartner, {
			name: "The partner's name in the workspace, 1 to 120 characters.",
			email: 'Email address, in any letter case. At most 254 characters.',
			short_link:
				'The value of `aff` of the first link: 1 to 64 of `A-Z a-z 0-9 _ -`, unique across all programs of the service. Generated if omitted.',
			group_id: "Id of the partner's group.",
		}),
		answers: {
			201: {
				description: 'The partner with the invitation link.',
				schema: answerOfRoute<typeof partnerRoutes, '/', '$post'>()(answerOf(AddedPartner, 'The new partner.')),
			},
		},
		errors: [
			ARCHIVED_ERROR,
			NO_GROUP,
			conflict('short_link {short_link} is taken', 'Another link has this value.'),
			conflict('{email} is already a partner of this program', 'A current partner has this address.'),
			erased('The address is the pseudonym of an erased partner.'),
		],
		examples: [
			{
				name: 'partner',
				summary: 'With your own short_link',
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
		description: 'The partners of a program with balances and links, including partners who left.',
		query: fieldsOf(PartnerQuery, {
			status: 'Only partners with this status.',
			group_id: 'Only partners of the group with this id.',
			search: PARTNER_SEARCH,
			sort: '`newest` first, `oldest` first, by `name`, or the best `match` of a search first: texts that begin with it, then those with a word that does, then the rest. Defaults to `match` with a search, otherwise to `newest`. Use the same value for all pages.',
			...PAGE_FIELDS,
		}),
		answers: {
			200: {
				description: 'A page of partners.',
				schema: answerOfRoute<typeof partnerRoutes, '/', '$get'>()(searchedPageOf(Partner, 'Partners.')),
			},
		},
		examples: [
			{ name: 'partners', summary: 'The partners of program 1' },
			{ name: 'search', summary: 'Active partners by part of the name', query: { status: 'active', search: 'at' } },
		],
	},
	{
		method: 'post',
		path: '/status',
		atLeast: 'admin',
		id: 'changePartnerStatuses',
		summary: 'Suspend, resume or end memberships',
		description:
			'Changes all or none, and notifies each partner with the reason. While suspended, a partner\'s links accept no clicks and sales earn nothing, until the partner is resumed. Ending has the effects of "End a membership".',
		body: bodyOf('PartnerStatusRequest', 'The partners and their new status.', StatusRequest, {
			partner_ids: 'Ids of 1 to 500 partners.',
			status: 'The new status; `active` resumes.',
			reason: 'The reason, sent to the partners. Up to 500 characters.',
		}),
		answers: {
			200: { description: 'The statuses were changed.', schema: answerOfRoute<typeof partnerRoutes, '/status', '$post'>()(nothing) },
		},
		errors: [
			notFound('Partner {id}'),
			conflict('The membership of partner {id} has ended: add the partner again', "The partner's membership has ended."),
			conflict('A membership has ended in the meantime. Reload and try again', 'Someone ended it at the same time.'),
		],
		examples: [
			{ name: 'suspend', summary: 'Suspend two partners', body: { partner_ids: [2, 3], status: 'suspended', reason: 'Under review.' } },
		],
	},
	{
		method: 'get',
		path: '/:partnerId',
		atLeast: 'member',
		id: 'readPartner',
		summary: 'Read a partner',
		description: 'A partner with balances and links.',
		params: PARAMS,
		answers: {
			200: {
				description: 'The partner.',
				schema: answerOfRoute<typeof partnerRoutes, '/:partnerId', '$get'>()(answerOf(Partner, 'The partner.')),
			},
		},
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
			"Renames, suspends or resumes a partner, or changes the group. While suspended, the partner's links accept no clicks and sales earn nothing. A new group applies to future sales.",
		params: PARAMS,
		body: bodyOf('PartnerChanges', 'At least one field to change.', PartnerChanges, {
			name: "The partner's name in the workspace, 1 to 120 characters.",
			status: 'The new status; `active` resumes.',
			reason: 'The reason, sent to the partner. Up to 500 characters; only with `status`.',
			group_id: "The group's id; null for none.",
		}),
		answers: {
			200: {
				description: 'The updated partner.',
				schema: answerOfRoute<typeof partnerRoutes, '/:partnerId', '$patch'>()(answerOf(Partner, 'The partner.')),
			},
		},
		errors: [
			NO_PARTNER,
			NO_GROUP,
			invalid('Send name, status or group_id', 'No field was sent.'),
			invalid('reason needs a status', '`reason` was sent without `status`.'),
			conflict('The membership has ended: add the partner again', "The partner's membership has ended."),
			erased('An erased partner cannot be renamed.'),
		],
		examples: [
			{
				name: 'suspend',
				summary: 'Suspend Quinn',
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
			'The links keep their `short_link` but no longer belong to a partner, and the partner leaves the group; commissions and balances stay. Ending the last membership in the workspace withdraws an open invitation. Safe to repeat.',
		params: PARAMS,
		answers: {
			200: {
				description: 'The former partner.',
				schema: answerOfRoute<typeof partnerRoutes, '/:partnerId', '$delete'>()(answerOf(Partner, 'The partner, with status `ended`.')),
			},
		},
		errors: [NO_PARTNER],
		examples: [{ name: 'end', summary: 'Robin leaves', params: { partnerId: 3 } }],
	},
	{
		method: 'post',
		path: '/:partnerId/invitation',
		atLeast: 'admin',
		id: 'invitePartner',
		summary: 'Invite a partner again',
		description:
			'Creates a new invitation link; the open one stops working. The first person to use it, with any address, can sign in as the partner. Works once, for seven days. Also works after the membership has ended, so that the partner can read past earnings.',
		params: PARAMS,
		answers: {
			201: {
				description: 'The invitation.',
				schema: answerOfRoute<typeof partnerRoutes, '/:partnerId/invitation', '$post'>()(
					answerOf(
						z.object({
							partner_id: is(Id, "The partner's id."),
							email: is(Text, 'The invited email address.'),
							expires_at: is(Instant, 'When the link expires, after seven days, UTC.'),
							invitation_url: is(Text, 'The link for the partner. Shown only once.'),
							mailed: Mailed,
						}),
						'The invitation with its link.',
					),
				),
			},
		},
		errors: [
			NO_PARTNER,
			conflict('The invitation has already been accepted', 'An owner can remove that person.'),
			conflict('Your role has changed: reload and try again', 'You are no longer an owner or admin.'),
			erased('Nobody can sign in as an erased partner.'),
		],
		examples: [{ name: 'invite', summary: 'Quinn has lost the link', params: { partnerId: 2 } }],
	},
	{
		method: 'delete',
		path: '/:partnerId/person',
		atLeast: 'owner',
		id: 'detachPerson',
		summary: "Remove a partner's person",
		description:
			'Use this if the wrong person accepted, or the person has left. They lose access to the partner in every program of the workspace, the payout details are deleted, and someone else can be invited. Requires your password. The person is notified if email is on. Safe to repeat.',
		params: PARAMS,
		body: bodyOf('PasswordRequest', 'Your password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: {
			200: {
				description: 'The partner without a person.',
				schema: answerOfRoute<typeof partnerRoutes, '/:partnerId/person', '$delete'>()(answerOf(Partner, 'The partner.')),
			},
		},
		errors: [NO_PARTNER, WRONG_PASSWORD, TOO_MANY_TRIES],
		examples: [
			{
				name: 'detach',
				summary: 'Someone other than Pia used the link',
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
		summary: "Erase a partner's personal data",
		description:
			"Permanently erases name, address, person, payout details, applications and invited addresses, once every membership in the workspace has ended. Commissions, balances, payouts and the ledger stay under the partner's id: pay what is owed first. The person's own account stays. Safe to repeat.",
		params: PARAMS,
		answers: {
			200: {
				description: 'The erased partner.',
				schema: answerOfRoute<typeof partnerRoutes, '/:partnerId/erase', '$post'>()(
					answerOf(Partner, 'The partner without personal data.'),
				),
			},
		},
		errors: [
			NO_PARTNER,
			conflict('The partner is still in a program of the workspace: end every membership first', 'A membership is active or suspended.'),
		],
		examples: [
			{ name: 'erase', summary: 'Robin, a former partner', params: { partnerId: 3 } },
			{ name: 'member', summary: 'A current partner', params: { partnerId: 2 }, status: 409 },
		],
	},
]);
