import * as z from 'zod/mini';
import {
	NewOwnLink,
	OwnLinkChange,
	type partnerLinks as partnerLinkRoutes,
} from '../../../http/management/partner-programs/partner-links.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { conflict, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { underPartnerProgram } from '../../under.ts';
import { link } from '../partners/partner-fields.ts';

export const OwnLink = named(
	'OwnLink',
	"A partner's own referral link, with the addresses to copy.",
	z.object({
		...link,
		url: is(
			z.nullable(Text),
			'The address to share: it counts the click and leads to the page. Null if the program has no domain to lead to.',
		),
		page_url: is(z.nullable(Text), 'The page itself, with `?aff=`: its script counts the click. Null like `url`.'),
	}),
);

const PARAMS = { linkId: "The link's id." };
const NO_LINK = notFound('Link', 'It does not exist or is not yours.');
const DESTINATION = "The page that the link leads to: an http or https address on the program's domain, of at most 2,048 characters.";
const ELSEWHERE = [
	invalid('destination_url must be a page on {domain}', 'The page is on another host.'),
	conflict('The program has no domain yet. Ask the program to set one', 'A link would lead nowhere.'),
	conflict('Your membership has changed: reload and try again', 'You were suspended or removed at the same time.'),
];

export const partnerLinks = underPartnerProgram('/links', [
	{
		method: 'get',
		atLeast: 'suspended',
		id: 'listOwnLinks',
		summary: 'List your links',
		description: 'Your referral links, including archived ones, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of links.',
				schema: answerOfRoute<typeof partnerLinkRoutes, '/', '$get'>()(pageOf(OwnLink, 'Links, newest first.')),
			},
		},
		examples: [{ name: 'links', summary: "Pat's links", query: { limit: '2' } }],
	},
	{
		method: 'post',
		atLeast: 'active',
		id: 'addOwnLink',
		summary: 'Add a deep link',
		description:
			"Adds a link to any page on the program's domain. The `short_link` is generated. At most 100 links, including archived ones.",
		body: bodyOf('NewOwnLink', 'The link.', NewOwnLink, { destination_url: { text: DESTINATION, json: { format: 'uri' } } }),
		answers: {
			201: {
				description: 'The link.',
				schema: answerOfRoute<typeof partnerLinkRoutes, '/', '$post'>()(answerOf(OwnLink, 'The new link.')),
			},
		},
		errors: [
			...ELSEWHERE,
			conflict('The program is archived and accepts no new links', 'The program is archived.'),
			conflict('You have {number} links, including archived ones, which is the maximum', 'You have 100. The program can add more.'),
		],
		examples: [
			{ name: 'link', summary: 'To the price list', body: { destination_url: 'https://shop.example/prices' } },
			{ name: 'elsewhere', summary: 'To another shop', body: { destination_url: 'https://elsewhere.example/' }, status: 400 },
		],
	},
	{
		method: 'patch',
		path: '/:linkId',
		atLeast: 'active',
		id: 'changeOwnLink',
		summary: 'Change the destination of your link',
		description: 'The link leads to another page; the address to share stays the same.',
		params: PARAMS,
		body: bodyOf('OwnLinkChange', 'The new destination.', OwnLinkChange, {
			destination_url: { text: `${DESTINATION} Null for the front page.`, json: { format: 'uri' } },
		}),
		answers: {
			200: {
				description: 'The updated link.',
				schema: answerOfRoute<typeof partnerLinkRoutes, '/:linkId', '$patch'>()(answerOf(OwnLink, 'The link.')),
			},
		},
		errors: [NO_LINK, ...ELSEWHERE, conflict('The link is archived and no longer works', 'Only the program can restore it.')],
		examples: [
			{ name: 'page', summary: 'To the summer sale', params: { linkId: 4 }, body: { destination_url: 'https://shop.example/summer' } },
		],
	},
	{
		method: 'delete',
		path: '/:linkId',
		atLeast: 'active',
		id: 'archiveOwnLink',
		summary: 'Archive one of your links',
		description: 'The link no longer works. Only the program can restore it. Archiving it again changes nothing.',
		params: PARAMS,
		answers: {
			200: {
				description: 'The updated link.',
				schema: answerOfRoute<typeof partnerLinkRoutes, '/:linkId', '$delete'>()(answerOf(OwnLink, 'The link, archived.')),
			},
		},
		errors: [NO_LINK, conflict('Your membership has changed: reload and try again', 'You were suspended or removed at the same time.')],
		examples: [{ name: 'archive', summary: 'The link to the summer sale', params: { linkId: 4 } }],
	},
]);
