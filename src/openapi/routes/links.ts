import * as z from 'zod/mini';
import { LinkChanges, LinkQuery, NewLink } from '../../http/management/links.ts';
import { answerOf, Id, PAGE_FIELDS, pageOf, PROGRAM_PARAM } from '../answers.ts';
import { conflict, invalid, notFound, programErrors } from '../errors.ts';
import { is, named } from '../json-schema.ts';
import { bodyOf, fieldsOf, type Operation } from '../operation.ts';
import { link } from './partners.ts';

export const Link = named(
	'Link',
	'A referral link of a program.',
	z.object({ ...link, partner_id: is(z.nullable(Id), 'Number of the partner; null once the membership has ended.') }),
);

const PARAMS = { ...PROGRAM_PARAM, linkId: 'Number of the link.' };
const NO_LINK = notFound('Link');
const DESTINATION = 'The page that the link leads to: an http or https address of at most 2,048 characters.';

export const links: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/programs/:id/links',
		id: 'addLink',
		tag: 'Partners',
		summary: 'Add a link',
		description: 'A further referral link of a partner. For owners and admins.',
		caller: 'session',
		params: PROGRAM_PARAM,
		body: bodyOf('NewLink', 'The link.', NewLink, {
			partner_id: 'Number of the partner.',
			short_link: 'The value of `aff`: 1 to 64 of `A-Z a-z 0-9 _ -`, unique over all programs of the service. Made up when left out.',
			destination_url: { text: DESTINATION, json: { format: 'uri' } },
		}),
		answers: { 201: { description: 'The link.', schema: answerOf(Link, 'The new link.') } },
		errors: [
			...programErrors('admin'),
			notFound('Partner', 'The partner is none of this program.'),
			conflict('short_link {short_link} is taken', 'Another link has it.'),
			conflict("The partner's membership has ended: add the partner again", 'The partner is no member any more.'),
		],
		examples: [
			{
				name: 'link',
				summary: 'To the price list',
				params: { id: 1 },
				body: { partner_id: 1, short_link: 'pat-pricing', destination_url: 'https://shop.example/pricing' },
			},
			{ name: 'made_up', summary: 'With a short_link that is made up', params: { id: 1 }, body: { partner_id: 1 } },
		],
	},
	{
		method: 'get',
		path: '/api/v1/programs/:id/links',
		id: 'listLinks',
		tag: 'Partners',
		summary: 'List links',
		description: 'The links of a program, newest first; archived ones too.',
		caller: 'session',
		params: PROGRAM_PARAM,
		query: fieldsOf(LinkQuery, { ...PAGE_FIELDS, partner_id: 'Only those of this partner.' }),
		answers: { 200: { description: 'A page of links.', schema: pageOf(Link, 'Links, newest first.') } },
		errors: programErrors('member'),
		examples: [{ name: 'links', summary: 'The links of Pat', params: { id: 1 }, query: { partner_id: '1', limit: '2' } }],
	},
	{
		method: 'patch',
		path: '/api/v1/programs/:id/links/:linkId',
		id: 'changeLink',
		tag: 'Partners',
		summary: 'Change or archive a link',
		description: 'Its partner and its `short_link` never change. For owners and admins.',
		caller: 'session',
		params: PARAMS,
		body: bodyOf('LinkChanges', 'What changes: at least one field.', LinkChanges, {
			destination_url: { text: `${DESTINATION} Null: none.` },
			archived: 'True: it answers no clicks; false: it does again.',
		}),
		answers: { 200: { description: 'The link as it is now.', schema: answerOf(Link, 'The link.') } },
		errors: [...programErrors('admin'), NO_LINK, invalid('Send destination_url or archived', 'No field was sent.')],
		examples: [
			{
				name: 'destination',
				summary: 'It leads elsewhere',
				params: { id: 1, linkId: 4 },
				body: { destination_url: 'https://shop.example/summer' },
			},
		],
	},
	{
		method: 'delete',
		path: '/api/v1/programs/:id/links/:linkId',
		id: 'archiveLink',
		tag: 'Partners',
		summary: 'Archive a link',
		description: 'It answers no clicks any more; sales of customers who came by it earn as before. For owners and admins.',
		caller: 'session',
		params: PARAMS,
		answers: { 200: { description: 'The link, archived.', schema: answerOf(Link, 'The link.') } },
		errors: [...programErrors('admin'), NO_LINK],
		examples: [{ name: 'archive', summary: 'An old link', params: { id: 1, linkId: 5 } }],
	},
];
