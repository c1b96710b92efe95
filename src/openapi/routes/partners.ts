import * as z from 'zod/mini';
import { NewPartner, PartnerChanges } from '../../http/management/partners.ts';
import { PageQuery } from '../../http/page.ts';
import { answerOf, Cents, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../answers.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { bodyOf, fieldsOf } from '../operation.ts';
import { underProgram } from '../under.ts';

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

const PARAMS = { partnerId: 'Number of the partner.' };
const NO_PARTNER = notFound('Partner');

export const partners = underProgram('Partners', '/partners', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'addPartner',
		summary: 'Add a partner',
		description:
			'A partner with a first referral link. One whom the workspace knows by the e-mail address keeps the name and joins; one whose membership ended joins again.',
		body: bodyOf('NewPartner', 'The partner.', NewPartner, {
			name: 'What you call the partner, 1 to 120 characters.',
			email: 'E-mail address, in any letter case. At most 254 characters.',
			short_link:
				'The value of `aff` of the first link: 1 to 64 of `A-Z a-z 0-9 _ -`, unique over all programs of the service. Made up when left out.',
		}),
		answers: { 201: { description: 'The partner, with the link.', schema: answerOf(Partner, 'The new partner.') } },
		errors: [
			conflict('short_link {short_link} is taken', 'Another link has it.'),
			conflict('{email} is a partner of this program already', 'The address is that of a member.'),
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
		description: 'The partners of a program with balances and links, newest first; those who left too.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of partners.', schema: pageOf(Partner, 'Partners, newest first.') } },
		examples: [{ name: 'partners', summary: 'The partners of program 1' }],
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
		summary: 'Rename, suspend or resume a partner',
		description: 'While suspended, the links answer no clicks and sales earn nothing.',
		params: PARAMS,
		body: bodyOf('PartnerChanges', 'What changes: at least one field.', PartnerChanges, {
			name: 'What you call the partner, 1 to 120 characters.',
			status: '`suspended`, or `active` again.',
		}),
		answers: { 200: { description: 'The partner as it is now.', schema: answerOf(Partner, 'The partner.') } },
		errors: [
			NO_PARTNER,
			invalid('Send name or status', 'No field was sent.'),
			conflict('The membership has ended: add the partner again', 'The partner is no member any more.'),
		],
		examples: [{ name: 'suspend', summary: 'Quinn is suspended', params: { partnerId: 2 }, body: { status: 'suspended' } }],
	},
	{
		method: 'delete',
		path: '/:partnerId',
		atLeast: 'admin',
		id: 'endMembership',
		summary: 'End a membership',
		description: 'The links keep their `short_link` but have no partner any more; commissions and balances stay. Once more is fine.',
		params: PARAMS,
		answers: { 200: { description: 'The partner as it was.', schema: answerOf(Partner, 'The partner, whose status is `ended`.') } },
		errors: [NO_PARTNER],
		examples: [{ name: 'end', summary: 'Robin leaves', params: { partnerId: 3 } }],
	},
]);
