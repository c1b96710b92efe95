import * as z from 'zod/mini';
import { LinkChanges, LinkQuery, NewLink } from '../../../http/management/links/links.ts';
import { answerOf, Id, PAGE_FIELDS, searchedPageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { link } from '../partners/partners.ts';
import { underProgram } from '../../under.ts';

export const Link = named(
	'Link',
	'A referral link of a program.',
	z.object({
		...link,
		partner_id: is(z.nullable(Id), 'Id of the partner; null once the membership has ended.'),
		partner: is(
			z.nullable(z.object({ id: is(Id, 'Id of the partner.'), name: is(Text, 'Name of the partner in the workspace.') })),
			'The same, with its name.',
		),
	}),
);

const PARAMS = { linkId: 'Id of the link.' };
const NO_LINK = notFound('Link');
const DESTINATION = 'The page that the link leads to: an http or https address of at most 2,048 characters.';

export const links = underProgram('Partners', '/links', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'addLink',
		summary: 'Add a link',
		description: 'A further referral link of a partner.',
		body: bodyOf('NewLink', 'The link.', NewLink, {
			partner_id: 'Id of the partner.',
			short_link: 'The value of `aff`: 1 to 64 of `A-Z a-z 0-9 _ -`, unique over all programs of the service. Made up when left out.',
			destination_url: { text: DESTINATION, json: { format: 'uri' } },
		}),
		answers: { 201: { description: 'The link.', schema: answerOf(Link, 'The new link.') } },
		errors: [
			ARCHIVED_ERROR,
			notFound('Partner', 'The partner does not belong to this program.'),
			conflict('short_link {short_link} is taken', 'Another link has it.'),
			conflict("The partner's membership has ended: add the partner again", 'The partner is no longer a member.'),
		],
		examples: [
			{
				name: 'link',
				summary: 'To the price list',
				body: { partner_id: 1, short_link: 'pat-pricing', destination_url: 'https://shop.example/pricing' },
			},
			{ name: 'made_up', summary: 'With a short_link that is made up', body: { partner_id: 1 } },
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listLinks',
		summary: 'List links',
		description: 'The links of a program, newest first, or the best match of a search first; archived ones too.',
		query: fieldsOf(LinkQuery, {
			...PAGE_FIELDS,
			partner_id: 'Only those of this partner.',
			search: 'A part of the short_link, in any letter case; one or two characters find what begins a word.',
		}),
		answers: { 200: { description: 'A page of links.', schema: searchedPageOf(Link, 'Links.') } },
		examples: [
			{ name: 'links', summary: 'The links of Pat', query: { partner_id: '1', limit: '2' } },
			{ name: 'search', summary: 'By a part of the short_link', query: { search: 'pric' } },
		],
	},
	{
		method: 'patch',
		path: '/:linkId',
		atLeast: 'admin',
		id: 'changeLink',
		summary: 'Change or archive a link',
		description: 'Its partner and its `short_link` never change.',
		params: PARAMS,
		body: bodyOf('LinkChanges', 'At least one field to change.', LinkChanges, {
			destination_url: { text: `${DESTINATION} Null: none.` },
			archived: 'True: it answers no clicks; false: it does again.',
		}),
		answers: { 200: { description: 'The link as it is now.', schema: answerOf(Link, 'The link.') } },
		errors: [NO_LINK, invalid('Send destination_url or archived', 'No field was sent.')],
		examples: [
			{
				name: 'destination',
				summary: 'It leads elsewhere',
				params: { linkId: 4 },
				body: { destination_url: 'https://shop.example/summer' },
			},
		],
	},
	{
		method: 'delete',
		path: '/:linkId',
		atLeast: 'admin',
		id: 'archiveLink',
		summary: 'Archive a link',
		description: 'It answers no clicks any more; sales of customers who came by it earn as before.',
		params: PARAMS,
		answers: { 200: { description: 'The link, archived.', schema: answerOf(Link, 'The link.') } },
		errors: [NO_LINK],
		examples: [{ name: 'archive', summary: 'An old link', params: { linkId: 5 } }],
	},
]);
