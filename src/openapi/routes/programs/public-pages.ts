import * as z from 'zod/mini';
import { APPLIED, ApplicationRequest } from '../../../http/management/programs/public-pages.ts';
import { answerOf, Cents, Count, CurrencyCode, Text } from '../../answers.ts';
import { conflict, type ErrorDoc, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { Terms } from '../applications/application-form.ts';

const PARAMS = { slug: { text: 'The slug of the program.', json: { type: 'string', pattern: '^[a-z0-9-]{3,63}$' } } } as const;
const NO_PAGE: ErrorDoc = notFound('Program page', 'There is none, it takes no applications, or the program is not active.');

const Rate = named(
	'RateOfNewPartners',
	'What a new partner earns in general.',
	z.object({
		type: is(z.enum(['percent', 'flat']), '`percent` of a sale, or a `flat` amount.'),
		percent: is(z.optional(z.number()), 'Percent of the sale; only of type `percent`.'),
		amount_cents: is(z.optional(Cents), 'Minor units of `currency`; only of type `flat`.'),
		currency: is(z.optional(CurrencyCode), 'ISO 4217 code; only of type `flat`.'),
		recurring_months: is(
			z.nullable(Count),
			"Months from a subscription's first sale in which renewals earn; 0: the first payment only; null: forever.",
		),
		hold_days: is(Count, 'Days between a sale and the approval of its commission.'),
	}),
);

export const publicPages: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/public/programs/:slug',
		id: 'readProgramPage',
		tag: 'Applications',
		summary: 'Read the page of a program',
		description: 'What a program says to who might become its partner. For anybody.',
		caller: 'anybody',
		isLimited: true,
		params: PARAMS,
		answers: {
			200: {
				description: 'The program takes applications.',
				schema: answerOf(
					z.object({
						name: is(Text, 'What the program is called.'),
						domain: is(z.nullable(Text), 'Domain of the shop.'),
						description: is(z.nullable(Text), 'What the program is: plain text.'),
						applications: is(z.enum(['by_approval', 'automatic']), 'Whether a person decides.'),
						terms: is(z.nullable(Terms), 'What applicants accept; null: nothing.'),
						rate: is(z.nullable(Rate), 'What new partners earn by whatever is sold; null: nothing in general.'),
						currency: is(CurrencyCode, 'ISO 4217 code of the program.'),
						cookie_window_days: is(Count, 'Days after a click in which a sale counts for it.'),
						payout_minimum_cents: is(Cents, 'Less is usually not paid out: minor units of `currency`.'),
					}),
					'The page.',
				),
			},
		},
		errors: [NO_PAGE],
		examples: [
			{ name: 'page', summary: 'The page of program 1', params: { slug: 'example-shop' } },
			{ name: 'none', summary: 'There is no such page', params: { slug: 'nobody' }, status: 404 },
		],
	},
	{
		method: 'post',
		path: '/api/v1/public/programs/:slug/applications',
		id: 'apply',
		tag: 'Applications',
		summary: 'Apply to be a partner',
		description:
			'For anybody. The answer is the same whether the address is new, waits already or is a partner’s. Who is approved gets an invitation under the address, if email is on; who is signed in under this very address is the partner at once then, where the workspace knows nobody by it. Who was declined may apply again after 30 days.',
		caller: 'session or anybody',
		isLimited: true,
		params: PARAMS,
		body: bodyOf('ApplicationRequest', 'Who applies.', ApplicationRequest, {
			name: 'What the applicant is called, 1 to 120 characters.',
			email: 'E-mail address, in any letter case. At most 254 characters.',
			website: 'Where they would recommend the shop: an http or https URL.',
			message: 'What they say of themselves: plain text of up to 2,000 characters.',
			accepted_terms_version: 'The version of the terms that they accept. Needed where the page has terms.',
			fax: 'Leave it out. For forms: a field that nobody sees; what fills it in is no person.',
		}),
		answers: {
			202: {
				description: 'It has come in.',
				schema: answerOf(z.object({ message: is(z.literal(APPLIED), 'In plain English.') }), 'The same foreverybody.'),
			},
		},
		errors: [
			NO_PAGE,
			invalid('accepted_terms_version is required: read and accept the terms, version {version}', 'The page has terms.'),
			conflict('The terms have changed: read and accept version {version}', 'Another version was accepted.'),
			conflict('This program accepts no more applications for now. Try again in a few days', '1,000 wait to be decided.'),
		],
		examples: [
			{
				name: 'application',
				summary: 'Ines applies',
				as: 'nobody',
				params: { slug: 'example-shop' },
				body: { name: 'Ines', email: 'ines@blog.example', website: 'https://blog.example', accepted_terms_version: 2 },
			},
			{
				name: 'old',
				summary: 'The terms have changed',
				as: 'nobody',
				params: { slug: 'example-shop' },
				body: { name: 'Jon', email: 'jon@blog.example', accepted_terms_version: 1 },
				status: 409,
			},
		],
	},
];
