import * as z from 'zod/mini';
import { NewPartner, PartnerChanges } from '../../http/management/partners.ts';
import { PageQuery } from '../../http/page.ts';
import { answerOf, Cents, Id, Instant, PAGE_FIELDS, pageOf, PROGRAM_PARAM, Text } from '../answers.ts';
import { conflict, invalid, notFound, programErrors } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { bodyOf, fieldsOf, type Operation } from '../operation.ts';

export const link = {
	id: is(Id, 'Number of the link.'),
	short_link: is(Text, 'The value of `aff` in the address that the partner spreads. It never changes.'),
	destination_url: is(z.nullable(Text), 'Where the link leads; null: wherever the partner puts `?aff=`.'),
	archived: is(z.boolean(), 'Whether it answers no clicks any more.'),
	created_at: is(Instant, 'When it was made, UTC.'),
};

const Balance = named(
	'Balance',
	'What a partner has in one currency, in minor units. None is below zero.',
	z.object({
		available: is(Cents, 'What a payout of all that can be paid now would pay.'),
		pending: is(Cents, 'What commissions on hold have left.'),
		debt: is(Cents, 'What is owed by the partner, beyond all that can be paid now: later payouts recover it.'),
	}),
);

export const Partner = named(
	'Partner',
	'A partner as a member of one program.',
	z.object({
		id: is(Id, 'Number of the partner.'),
		partner_program_id: is(Id, 'Number of the membership.'),
		name: is(Text, 'What the workspace calls the partner.'),
		email: is(Text, 'E-mail address, in lower case.'),
		status: is(
			z.enum(['active', 'suspended', 'ended']),
			'`active`; `suspended`: links answer no clicks and sales earn nothing; `ended`: no member any more.',
		),
		balances: is(
			z.record(z.string(), Balance),
			'What the partner has in the program, by ISO 4217 code. In all it is available + pending - debt.',
		),
		links: is(z.array(named('PartnerLink', 'A link as its partner has it.', z.object(link))), 'The referral links, oldest first.'),
		created_at: is(Instant, 'When the partner joined the program, UTC.'),
	}),
);

const PARAMS = { ...PROGRAM_PARAM, partnerId: 'Number of the partner.' };
const NO_PARTNER = notFound('Partner');

export const partners: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/programs/:id/partners',
		id: 'addPartner',
		tag: 'Partners',
		summary: 'Add a partner',
		description:
			'A partner with a first referral link. One whom the workspace knows by the e-mail address keeps the name and joins; one whose membership ended joins again. For owners and admins.',
		caller: 'session',
		params: PROGRAM_PARAM,
		body: bodyOf('NewPartner', 'The partner.', NewPartner, {
			name: 'What you call the partner, 1 to 120 characters.',
			email: 'E-mail address, in any letter case. At most 254 characters.',
			short_link:
				'The value of `aff` of the first link: 1 to 64 of `A-Z a-z 0-9 _ -`, unique over all programs of the service. Made up when left out.',
		}),
		answers: { 201: { description: 'The partner, with the link.', schema: answerOf(Partner, 'The new partner.') } },
		errors: [
			...programErrors('admin'),
			conflict('short_link {short_link} is taken', 'Another link has it.'),
			conflict('{email} is a partner of this program already', 'The address is that of a member.'),
		],
		examples: [
			{
				name: 'partner',
				summary: 'With a short_link of your choice',
				params: { id: 1 },
				body: { name: 'Sam', email: 'sam@partner.example', short_link: 'sam' },
			},
			{
				name: 'taken',
				summary: 'The short_link is taken',
				params: { id: 1 },
				body: { name: 'Tom', email: 'tom@partner.example', short_link: 'pat' },
				status: 409,
			},
		],
	},
	{
		method: 'get',
		path: '/api/v1/programs/:id/partners',
		id: 'listPartners',
		tag: 'Partners',
		summary: 'List partners',
		description: 'The partners of a program with balances and links, newest first; those who left too.',
		caller: 'session',
		params: PROGRAM_PARAM,
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of partners.', schema: pageOf(Partner, 'Partners, newest first.') } },
		errors: programErrors('member'),
		examples: [{ name: 'partners', summary: 'The partners of program 1', params: { id: 1 } }],
	},
	{
		method: 'get',
		path: '/api/v1/programs/:id/partners/:partnerId',
		id: 'readPartner',
		tag: 'Partners',
		summary: 'Read a partner',
		description: 'With balances and links.',
		caller: 'session',
		params: PARAMS,
		answers: { 200: { description: 'The partner.', schema: answerOf(Partner, 'The partner.') } },
		errors: [...programErrors('member'), NO_PARTNER],
		examples: [{ name: 'partner', summary: 'Pat', params: { id: 1, partnerId: 1 } }],
	},
	{
		method: 'patch',
		path: '/api/v1/programs/:id/partners/:partnerId',
		id: 'changePartner',
		tag: 'Partners',
		summary: 'Rename, suspend or resume a partner',
		description: 'While suspended, the links answer no clicks and sales earn nothing. For owners and admins.',
		caller: 'session',
		params: PARAMS,
		body: bodyOf('PartnerChanges', 'What changes: at least one field.', PartnerChanges, {
			name: 'What you call the partner, 1 to 120 characters.',
			status: '`suspended`, or `active` again.',
		}),
		answers: { 200: { description: 'The partner as it is now.', schema: answerOf(Partner, 'The partner.') } },
		errors: [
			...programErrors('admin'),
			NO_PARTNER,
			invalid('Send name or status', 'No field was sent.'),
			conflict('The membership has ended: add the partner again', 'The partner is no member any more.'),
		],
		examples: [{ name: 'suspend', summary: 'Quinn is suspended', params: { id: 1, partnerId: 2 }, body: { status: 'suspended' } }],
	},
	{
		method: 'delete',
		path: '/api/v1/programs/:id/partners/:partnerId',
		id: 'endMembership',
		tag: 'Partners',
		summary: 'End a membership',
		description:
			'The links keep their `short_link` but have no partner any more; commissions and balances stay. Once more is fine. For owners and admins.',
		caller: 'session',
		params: PARAMS,
		answers: { 200: { description: 'The partner as it was.', schema: answerOf(Partner, 'The partner, whose status is `ended`.') } },
		errors: [...programErrors('admin'), NO_PARTNER],
		examples: [{ name: 'end', summary: 'Robin leaves', params: { id: 1, partnerId: 3 } }],
	},
];
