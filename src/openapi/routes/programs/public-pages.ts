import * as z from 'zod/mini';
import { APPLIED, ApplicationRequest, type publicPages as publicPageRoutes } from '../../../http/management/programs/public-pages.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Text } from '../../answers.ts';
import { conflict, type ErrorDoc, invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { Terms } from '../applications/application-form.ts';

const PARAMS = { slug: { text: 'The slug of the program.', json: { type: 'string', pattern: '^[a-z0-9-]{3,63}$' } } } as const;
const NO_PAGE: ErrorDoc = notFound('Program page', 'The page does not exist, accepts no applications, or belongs to an inactive program.');

const rateFields = {
	type: is(z.enum(['percent', 'flat']), '`percent` of a sale, or a `flat` amount.'),
	percent: is(z.optional(z.number()), 'Percent of the sale; only for type `percent`.'),
	amount_cents: is(z.optional(Cents), 'Minor units of `currency`; only for type `flat`.'),
	currency: is(z.optional(CurrencyCode), 'ISO 4217 code; only for type `flat`.'),
	recurring_months: is(
		z.nullable(Count),
		"How many months after a subscription's first sale its renewals earn a commission. 0: only the first payment; null: no limit.",
	),
	hold_days: is(Count, 'Days between a sale and the approval of its commission.'),
};

const Rate = named('RateOfNewPartners', 'What a new partner earns by default.', z.object(rateFields));

const RateOfProduct = named(
	'RateOfProduct',
	'What a new partner earns for some sales.',
	z.object({
		product_id: is(z.nullable(Text), 'Only sales of this product; null for all products without their own rate.'),
		...rateFields,
	}),
);

export const publicPages: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/public/programs/:slug',
		id: 'readProgramPage',
		tag: 'Applications',
		summary: "Read a program's page",
		description: "A program's public page for prospective partners. No sign-in needed.",
		caller: 'anybody',
		isLimited: true,
		params: PARAMS,
		answers: {
			200: {
				description: 'The program accepts applications.',
				schema: answerOf(
					z.object({
						name: is(Text, "The program's name."),
						domain: is(z.nullable(Text), 'Domain of the shop.'),
						description: is(z.nullable(Text), "The program's description, plain text."),
						applications: is(z.enum(['by_approval', 'automatic']), 'Whether a person approves applications.'),
						terms: is(z.nullable(Terms), 'The terms to accept; null if there are none.'),
						rate: is(z.nullable(Rate), 'What new partners earn on any sale; null if there is no default rule.'),
						rates: is(
							z.array(RateOfProduct),
							'What new partners earn, the most specific rate first. The first rate that applies to a sale counts. A flat rate applies only to sales in its currency.',
						),
						currency: is(CurrencyCode, 'ISO 4217 code of the program.'),
						cookie_window_days: is(Count, 'How many days after a click a sale can still be attributed to it.'),
						payout_minimum_cents: is(Cents, 'The usual minimum payout, in minor units of `currency`.'),
					}),
					'The page.',
				),
			},
		},
		errors: [NO_PAGE],
		examples: [
			{ name: 'page', summary: 'The page of program 1', params: { slug: 'example-shop' } },
			{ name: 'none', summary: 'The page does not exist', params: { slug: 'nobody' }, status: 404 },
		],
	},
	{
		method: 'post',
		path: '/api/v1/public/programs/:slug/applications',
		id: 'apply',
		tag: 'Applications',
		summary: 'Apply to be a partner',
		description:
			'No sign-in needed. The response is the same whether the address is new, has an open application or belongs to a partner. Approved applicants receive an invitation if email is on. If the applicant is signed in with this address and the workspace has no partner with it, approval makes them a partner immediately. Declined applicants may apply again after 30 days.',
		caller: 'session or anybody',
		isLimited: true,
		params: PARAMS,
		body: bodyOf('ApplicationRequest', 'The applicant.', ApplicationRequest, {
			name: "The applicant's name, 1 to 120 characters.",
			email: 'Email address, in any letter case. At most 254 characters.',
			website: 'Where the applicant would recommend the shop: an http or https URL.',
			message: "The applicant's message, plain text of up to 2,000 characters.",
			accepted_terms_version: 'The version of the accepted terms. Required if the page has terms.',
			fax: 'Omit. A hidden form field; requests that fill it in are treated as bots.',
		}),
		answers: {
			202: {
				description: 'The application was received.',
				schema: answerOfRoute<typeof publicPageRoutes, '/programs/:slug/applications', '$post'>()(
					answerOf(z.object({ message: is(z.literal(APPLIED), 'A plain-English message.') }), 'The same for every applicant.'),
				),
			},
		},
		errors: [
			NO_PAGE,
			invalid('accepted_terms_version is required: read and accept the terms, version {version}', 'The page has terms.'),
			conflict('The terms have changed: read and accept version {version}', 'Another version was accepted.'),
			conflict('This program accepts no more applications for now. Try again in a few days', '1,000 applications are waiting.'),
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
