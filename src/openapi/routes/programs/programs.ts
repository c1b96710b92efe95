import * as z from 'zod/mini';
import {
	ProgramChangeRequest,
	ProgramQuery,
	ProgramRequest,
	type programs as programRoutes,
} from '../../../http/management/programs/programs.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, PAGE_FIELDS, pageOf, successful, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, type ErrorDoc, forbidden, invalid, rejected } from '../../errors.ts';
import { is } from '../../json-schema.ts';
import { bodyOf, type FieldDoc, fieldsOf, type Operation } from '../../operation.ts';
import { TERMS, TERMS_ERRORS } from './commission-rules.ts';
import { NewProgram, Program, ProgramDetails } from './program-fields.ts';
import { underProgram } from '../../under.ts';

const settings = {
	domain:
		'Host name of the site, without scheme, port or path. On creation, `https://` plus the domain, with and without `www.`, is added to the origins.',
	currency: 'ISO 4217 code, in any letter case. Fixed after the first sale.',
	cookie_window_days: 'The attribution window in days, 1 to 3,650.',
	click_retention_days:
		'How many days clicks are kept: from `cookie_window_days` + 7 to 3,660, or null for ever. Older clicks are moved into compressed files if a bucket is bound, otherwise they are deleted for good. Clicks of customers stay, and no figure changes.',
	allowed_origins:
		'Origins whose pages may report clicks and leads, at most 100: `https://shop.example`, with a wildcard `https://*.shop.example`, or any local port, `http://localhost:*`. A change replaces the whole list.',
	time_zone: 'IANA name of the time zone of reports, such as `Europe/Berlin`. Fixed after the first event.',
	server_leads_only: 'Whether leads with a `customer_key` are accepted from backends only, so that no page can claim a guessed key.',
	payout_minimum_cents:
		"Minimum of payouts with neither `minimum_cents` nor `commission_ids`, in minor units of the program's currency. Other currencies have no minimum.",
	keep_emails: 'Whether email addresses of leads are stored in plain text as well as in a keyed hash.',
	renewals_follow_checkout:
		"Whether a Stripe renewal whose subscription has no tracker metadata is attributed like the subscription's first sale. If not, the inbox says what to set.",
	coupon_wins: "Whether a sale's coupon takes precedence over its click. It never overrides the customer's existing partner.",
	rules_by_line:
		"Whether each cart line uses the commission rule of its product, or the sale's rule applies to the whole sale. False for programs older than this setting.",
	partner_postbacks: 'Whether partners may have postbacks. If false, existing ones are not called.',
} satisfies Record<string, string>;

function withDefault(text: string, value: unknown): FieldDoc {
	return { text, json: { default: value } };
}

const RETENTION_TOO_SHORT = invalid(
	'click_retention_days must be at least {least}, a week longer than the attribution window of {window} days, because late leads still need their clicks',
	'`click_retention_days` is less than `cookie_window_days` + 7.',
);

const FIXED: readonly ErrorDoc[] = [
	conflict(
		'currency cannot change because the program has sales. Create another program for another currency.',
		'`currency` cannot change after the first sale.',
	),
	conflict(
		'time_zone cannot change because the program has events whose days depend on it.',
		'`time_zone` cannot change after the first event.',
	),
];

export const programs: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/programs',
		id: 'createProgram',
		tag: 'Programs',
		summary: 'Create a program',
		description: 'Creates a program with a key and, if `commission` is set, a default rule. For owners and admins.',
		caller: 'session',
		body: bodyOf('ProgramRequest', 'The program.', ProgramRequest, {
			...settings,
			currency: withDefault(settings.currency, 'USD'),
			cookie_window_days: withDefault(settings.cookie_window_days, 60),
			click_retention_days: withDefault(settings.click_retention_days, null),
			allowed_origins: withDefault(settings.allowed_origins, []),
			time_zone: withDefault(settings.time_zone, 'UTC'),
			server_leads_only: withDefault(settings.server_leads_only, false),
			keep_emails: withDefault(settings.keep_emails, false),
			payout_minimum_cents: withDefault(settings.payout_minimum_cents, 0),
			renewals_follow_checkout: withDefault(settings.renewals_follow_checkout, false),
			coupon_wins: withDefault(settings.coupon_wins, false),
			rules_by_line: withDefault(settings.rules_by_line, true),
			partner_postbacks: withDefault(settings.partner_postbacks, true),
			workspace_id: 'Id of the workspace. Defaults to the first one of which you are an owner or admin.',
			name: "The program's name, 1 to 120 characters.",
			commission: { text: 'What a sale earns if no other rule applies. If omitted, nothing.', fields: TERMS },
		}),
		answers: {
			201: {
				description: 'The program with its key.',
				schema: answerOfRoute<typeof programRoutes, '/', '$post'>()(answerOf(NewProgram, 'The new program.')),
			},
		},
		errors: [
			...TERMS_ERRORS,
			RETENTION_TOO_SHORT,
			forbidden(
				'You are not an owner or admin of any workspace',
				'`workspace_id` is missing, and you are not an owner or admin of any workspace.',
			),
			rejected('not_a_member', 'You are not an active member of the workspace.'),
			forbidden('Only an owner or admin of the workspace may do this', 'You are a member, but not an owner or admin.'),
		],
		examples: [
			{
				name: 'program',
				summary: '20 % of every sale, on hold for 14 days',
				body: { name: 'My shop', domain: 'my-shop.example', commission: { type: 'percent', percent: 20, hold_days: 14 } },
			},
			{
				name: 'settings',
				summary: 'With every setting',
				body: {
					workspace_id: 1,
					name: 'European shop',
					domain: 'shop.example',
					currency: 'EUR',
					cookie_window_days: 30,
					click_retention_days: 90,
					allowed_origins: ['https://*.shop.example'],
					time_zone: 'Europe/Berlin',
					server_leads_only: true,
					keep_emails: false,
					renewals_follow_checkout: true,
					coupon_wins: true,
					rules_by_line: true,
					partner_postbacks: true,
					commission: { type: 'flat', amount_cents: 500, currency: 'EUR', recurring_months: 12, hold_days: 30 },
				},
			},
			{ name: 'no_name', summary: 'Without a name', body: { domain: 'shop.example' }, status: 400 },
		],
	},
	{
		method: 'get',
		path: '/api/v1/programs',
		id: 'listPrograms',
		tag: 'Programs',
		summary: 'List programs',
		description: 'The programs of your workspaces, newest first. Archived programs are listed separately.',
		caller: 'session',
		query: fieldsOf(ProgramQuery, {
			...PAGE_FIELDS,
			archived: 'If `true`, only archived programs; otherwise only programs that are not archived.',
		}),
		answers: {
			200: {
				description: 'A page of programs.',
				schema: answerOfRoute<typeof programRoutes, '/', '$get'>()(pageOf(Program, 'Programs, newest first.')),
			},
		},
		examples: [{ name: 'first_page', summary: 'The two newest', query: { limit: '2' } }],
	},
	...underProgram('Programs', '', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'readProgram',
			summary: 'Read a program',
			description: "A program's settings, the first characters of its key, and what has been retired of its clicks.",
			answers: {
				200: {
					description: 'The program.',
					schema: answerOfRoute<typeof programRoutes, '/:id', '$get'>()(answerOf(ProgramDetails, 'The program.')),
				},
			},
			examples: [
				{ name: 'program', summary: 'Program 1' },
				{ name: 'unknown', summary: 'The program does not exist', params: { id: 999 }, status: 404 },
				{ name: 'foreign', summary: 'A program of another workspace', params: { id: 3 }, status: 403 },
			],
		},
		{
			method: 'patch',
			atLeast: 'admin',
			id: 'changeProgram',
			summary: 'Change a program',
			description:
				'Omitted fields stay unchanged. But a longer `cookie_window_days` raises a shorter `click_retention_days` to 7 days more, and the answer says so. Clicks that have already been retired do not return: a lead with such a click is attributed, but its customer has no country, source or `sub_id`.',
			body: bodyOf('ProgramChangeRequest', 'At least one field to change.', ProgramChangeRequest, {
				...settings,
				name: "The program's name, 1 to 120 characters.",
				active: "If false, the program's links accept no clicks and its keys are refused.",
			}),
			answers: {
				200: {
					description: 'The updated program.',
					schema: answerOfRoute<typeof programRoutes, '/:id', '$patch'>()(
						successful({
							data: is(ProgramDetails, 'The program.'),
							message: is(
								z.optional(Text),
								'Says so if a longer `cookie_window_days` has raised `click_retention_days`. Otherwise omitted.',
							),
						}),
					),
				},
			},
			errors: [invalid('Send at least one field to change', 'No field was sent.'), RETENTION_TOO_SHORT, ARCHIVED_ERROR, ...FIXED],
			examples: [
				{
					name: 'change',
					summary: 'A longer window and another origin',
					params: { id: 2 },
					body: { cookie_window_days: 90, allowed_origins: ['https://second.example', 'https://*.second.example'] },
				},
				{
					name: 'retention',
					summary: 'Clicks are kept for a shorter time than leads need them',
					body: { click_retention_days: 30 },
					status: 400,
				},
				{ name: 'fixed', summary: 'A program with sales keeps its currency', body: { currency: 'EUR' }, status: 409 },
			],
		},
		{
			method: 'post',
			path: '/archive',
			atLeast: 'owner',
			id: 'moveProgramToArchive',
			summary: 'Archive a program',
			description:
				'The program records no clicks, leads or sales, its keys are refused, and lists omit it. Refunds and disputes reported by a payment processor still count. Payouts, reports, the portal and erasure of personal data keep working. Its short links, coupons and page address stay reserved. `GET` of the same path downloads its data.',
			answers: {
				200: {
					description: 'The archived program.',
					schema: answerOfRoute<typeof programRoutes, '/:id/archive', '$post'>()(answerOf(ProgramDetails, 'The program.')),
				},
			},
			errors: [conflict('The program is already archived', 'It was archived before.')],
			examples: [
				{ name: 'archive', summary: 'Program 2', params: { id: 2 } },
				{ name: 'again', summary: 'The program is already archived', params: { id: 2 }, status: 409 },
			],
		},
		{
			method: 'post',
			path: '/restore',
			atLeast: 'owner',
			id: 'restoreProgram',
			summary: 'Restore an archived program',
			description: 'Restores the program to its earlier state, active or paused.',
			answers: {
				200: {
					description: 'The restored program.',
					schema: answerOfRoute<typeof programRoutes, '/:id/restore', '$post'>()(answerOf(ProgramDetails, 'The program.')),
				},
			},
			errors: [conflict('The program is not archived', 'It was never archived, or was restored.')],
			examples: [{ name: 'restore', summary: 'Program 2', params: { id: 2 } }],
		},
	]),
];
