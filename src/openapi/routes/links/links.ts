import * as z from 'zod/mini';
import { LinkChanges, LinkQuery, NewLink, type links as linkRoutes } from '../../../http/management/links/links.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Id, PAGE_FIELDS, searchedPageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { link } from '../partners/partner-fields.ts';
import { underProgram } from '../../under.ts';

export const Link = named(
	'Link',
	'A referral link of a program.',
	z.object({
		...link,
		partner_id: is(z.nullable(Id), "The partner's id; null once the membership has ended."),
		partner: is(
			z.nullable(z.object({ id: is(Id, "The partner's id."), name: is(Text, "The partner's name in the workspace.") })),
			'The partner; null once the membership has ended.',
		),
	}),
);

const PARAMS = { linkId: "The link's id." };
const NO_LINK = notFound('Link');
const DESTINATION = 'The page that the link leads to: an http or https address of at most 2,048 characters.';

export const links = underProgram('Partners', '/links', [
	{
		method: 'post',
		atLeast: 'admin',
		id: 'addLink',
		summary: 'Add a link',
		description: 'Adds a referral link for a partner.',
		body: bodyOf('NewLink', 'The link.', NewLink, {
			partner_id: "The partner's id.",
			short_link: 'The value of `aff`: 1 to 64 of `A-Z a-z 0-9 _ -`, unique across all programs of the service. Generated if omitted.',
			destination_url: { text: DESTINATION, json: { format: 'uri' } },
		}),
		answers: {
			201: { description: 'The link.', schema: answerOfRoute<typeof linkRoutes, '/', '$post'>()(answerOf(Link, 'The new link.')) },
		},
		errors: [
			ARCHIVED_ERROR,
			notFound('Partner', 'The partner is not in this program.'),
			conflict('short_link {short_link} is taken', 'Another link has this value.'),
			conflict("The partner's membership has ended: add the partner again", "The partner's membership has ended."),
		],
		examples: [
			{
				name: 'link',
				summary: 'To the price list',
				body: { partner_id: 1, short_link: 'pat-pricing', destination_url: 'https://shop.example/pricing' },
			},
			{ name: 'made_up', summary: 'With a generated short_link', body: { partner_id: 1 } },
		],
	},
	{
		method: 'get',
		atLeast: 'member',
		id: 'listLinks',
		summary: 'List links',
		description: 'The links of a program, including archived ones. Newest first, or best match of a search first.',
		query: fieldsOf(LinkQuery, {
			...PAGE_FIELDS,
			partner_id: 'Only links of this partner.',
			search: 'A part of the short_link, in any letter case.',
		}),
		answers: {
			200: { description: 'A page of links.', schema: answerOfRoute<typeof linkRoutes, '/', '$get'>()(searchedPageOf(Link, 'Links.')) },
		},
		examples: [
			{ name: 'links', summary: "Pat's links", query: { partner_id: '1', limit: '2' } },
			{ name: 'search', summary: 'By part of the short_link', query: { search: 'pric' } },
		],
	},
	{
		method: 'patch',
		path: '/:linkId',
		atLeast: 'admin',
		id: 'changeLink',
		summary: 'Change or archive a link',
		description: 'The partner and `short_link` cannot change.',
		params: PARAMS,
		body: bodyOf('LinkChanges', 'At least one field to change.', LinkChanges, {
			destination_url: { text: `${DESTINATION} Null removes it.` },
			archived: 'Whether the link is archived and so accepts no clicks.',
		}),
		answers: {
			200: {
				description: 'The updated link.',
				schema: answerOfRoute<typeof linkRoutes, '/:linkId', '$patch'>()(answerOf(Link, 'The link.')),
			},
		},
		errors: [NO_LINK, invalid('Send destination_url or archived', 'No field was sent.')],
		examples: [
			{
				name: 'destination',
				summary: 'Change the destination',
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
		description: 'The link accepts no further clicks; sales of customers it brought still earn.',
		params: PARAMS,
		answers: {
			200: {
				description: 'The archived link.',
				schema: answerOfRoute<typeof linkRoutes, '/:linkId', '$delete'>()(answerOf(Link, 'The link.')),
			},
		},
		errors: [NO_LINK],
		examples: [{ name: 'archive', summary: 'An old link', params: { linkId: 5 } }],
	},
]);
