import * as z from 'zod/mini';
import { ProgramChangeRequest, ProgramQuery, ProgramRequest } from '../../../http/management/programs/programs.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { ARCHIVED_ERROR, conflict, type ErrorDoc, forbidden, invalid, rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type FieldDoc, fieldsOf, type Operation } from '../../operation.ts';
import { TERMS, TERMS_ERRORS } from './commission-rules.ts';
import { underProgram } from '../../under.ts';

const program = {
	id: is(Id, 'Id of the program.'),
	workspace_id: is(Id, 'Id of the workspace that it belongs to.'),
	name: is(Text, 'The name.'),
	domain: is(z.nullable(Text), 'The host name of the site; null if none was given.'),
	domain_verified_at: is(z.nullable(Instant), 'When the domain was verified, UTC; null if it was not, or is another one since.'),
	currency: is(CurrencyCode, 'ISO 4217 code that sales have by default, and that reports add up in.'),
	cookie_window_days: is(Count, 'The attribution window: days from the click in which a sale earns.'),
	allowed_origins: is(z.array(Text), 'Origins whose pages may report clicks and leads, in order.'),
	time_zone: is(Text, 'IANA name of the zone whose days the reports have.'),
	active: is(z.boolean(), 'Whether its links and keys work.'),
	server_leads_only: is(z.boolean(), 'Whether a `customer_key` is taken from backends only.'),
	keep_emails: is(z.boolean(), 'Whether e-mail addresses of leads are kept in clear.'),
	payout_minimum_cents: is(
		Cents,
		'Less than that is not paid where a payout asks for no minimum, in minor units of `currency`; other currencies have none.',
	),
	renewals_follow_checkout: is(
		z.boolean(),
		"Whether a renewal of Stripe whose subscription has no tracker metadata belongs to that subscription's first sale.",
	),
	coupon_wins: is(z.boolean(), 'Whether the coupon of a sale goes before its click.'),
	rules_by_line: is(z.boolean(), 'Whether each line of a cart takes its own commission rule.'),
	partner_postbacks: is(z.boolean(), 'Whether its partners may have postbacks.'),
	created_at: is(Instant, 'When it was created, UTC.'),
	archived_at: is(z.nullable(Instant), 'When it was archived, UTC; null: it is not archived.'),
	api_token_prefix: is(z.nullable(Text), 'How the program key begins, to tell keys apart; null if there is none.'),
	api_token_last_used_at: is(z.nullable(Instant), 'When the key was last used, UTC, exact to some minutes; null: not yet.'),
};

export const Program = named('Program', 'A program.', z.object(program));

export const NewProgram = named(
	'NewProgram',
	'A program that was just created, with its key.',
	z.object({ ...program, api_token: is(Text, 'The program key. Shown once; later only to who enters the password again.') }),
);

const settings = {
	domain:
		'Host name of the site, without scheme, port and path. `https://` with it, and with its `www.`, are listed as origins when the program is created.',
	currency: 'ISO 4217 code, in any letter case. Fixed after the first sale.',
	cookie_window_days: 'The attribution window in days, 1 to 3,650.',
	allowed_origins:
		'Origins whose pages may report clicks and leads, at most 100: `https://shop.example`, with a wildcard `https://*.shop.example`, or any port of your own machine, `http://localhost:*`. A change replaces the whole list.',
	time_zone: 'IANA name, such as `Europe/Berlin`: the zone whose days the reports have. Fixed after the first event.',
	server_leads_only: 'True: a lead by `customer_key` is taken from backends only, so that no page can claim a key that can be guessed.',
	payout_minimum_cents:
		"Less than that is not paid where a payout names neither `minimum_cents` nor `commission_ids`, in minor units of the program's currency. Other currencies have no such minimum.",
	keep_emails: 'True: the e-mail addresses of leads are kept in clear, not only as a keyed hash.',
	renewals_follow_checkout:
		"True: a renewal of Stripe whose subscription has no tracker metadata belongs to that subscription's first sale. False: it is not attributed, and the inbox says what to set.",
	coupon_wins: 'True: the coupon that a sale comes with goes before its click. Never before the partner whom the customer has already.',
	rules_by_line:
		'True: each line of a cart takes the commission rule of its own product. False: the rule of the sale counts for all of it. Programs from before this setting have false.',
	partner_postbacks: 'False: no partner may have a postback, and those that there are get nothing.',
} satisfies Record<string, string>;

function withDefault(text: string, value: unknown): FieldDoc {
	return { text, json: { default: value } };
}

const FIXED: readonly ErrorDoc[] = [
	conflict(
		'currency cannot change because the program has sales. Create another program for another currency.',
		'`currency` would change after the first sale.',
	),
	conflict(
		'time_zone cannot change because the program has events whose days depend on it.',
		'`time_zone` would change after the first event.',
	),
];

export const programs: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/programs',
		id: 'createProgram',
		tag: 'Programs',
		summary: 'Create a program',
		description: 'A program with its key, and with a default rule where `commission` says what a sale earns. For owners and admins.',
		caller: 'session',
		body: bodyOf('ProgramRequest', 'The program.', ProgramRequest, {
			...settings,
			currency: withDefault(settings.currency, 'USD'),
			cookie_window_days: withDefault(settings.cookie_window_days, 60),
			allowed_origins: withDefault(settings.allowed_origins, []),
			time_zone: withDefault(settings.time_zone, 'UTC'),
			server_leads_only: withDefault(settings.server_leads_only, false),
			keep_emails: withDefault(settings.keep_emails, false),
			payout_minimum_cents: withDefault(settings.payout_minimum_cents, 0),
			renewals_follow_checkout: withDefault(settings.renewals_follow_checkout, false),
			coupon_wins: withDefault(settings.coupon_wins, false),
			rules_by_line: withDefault(settings.rules_by_line, true),
			partner_postbacks: withDefault(settings.partner_postbacks, true),
			workspace_id: 'Id of the workspace. By default the first one that you are owner or admin of.',
			name: 'The name, 1 to 120 characters.',
			commission: { text: 'What a sale earns where no other rule applies. Left out: nothing yet.', fields: TERMS },
		}),
		answers: { 201: { description: 'The program, with its key.', schema: answerOf(NewProgram, 'The new program.') } },
		errors: [
			...TERMS_ERRORS,
			forbidden('You are not an owner or admin of any workspace', '`workspace_id` is left out, and there is none to take.'),
			rejected('not_a_member', 'You are no active member of the workspace.'),
			forbidden('Only an owner or admin of the workspace may do this', 'You are a member, but no owner or admin.'),
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
		description: 'The programs of your workspaces, newest first. Archived programs have a list of their own.',
		caller: 'session',
		query: fieldsOf(ProgramQuery, {
			...PAGE_FIELDS,
			archived: '`true`: only archived programs. Otherwise only those that are not archived.',
		}),
		answers: { 200: { description: 'A page of programs.', schema: pageOf(Program, 'Programs, newest first.') } },
		examples: [{ name: 'first_page', summary: 'The two newest', query: { limit: '2' } }],
	},
	...underProgram('Programs', '', [
		{
			method: 'get',
			atLeast: 'member',
			id: 'readProgram',
			summary: 'Read a program',
			description: 'Its settings. Of the key only what tells it apart.',
			answers: { 200: { description: 'The program.', schema: answerOf(Program, 'The program.') } },
			examples: [
				{ name: 'program', summary: 'Program 1' },
				{ name: 'unknown', summary: 'There is no such program', params: { id: 999 }, status: 404 },
				{ name: 'foreign', summary: 'A program of others', params: { id: 3 }, status: 403 },
			],
		},
		{
			method: 'patch',
			atLeast: 'admin',
			id: 'changeProgram',
			summary: 'Change a program',
			description: 'What is left out stays as it is.',
			body: bodyOf('ProgramChangeRequest', 'At least one field to change.', ProgramChangeRequest, {
				...settings,
				name: 'The name, 1 to 120 characters.',
				active: 'False: its links answer no clicks and its keys are refused, until it is true again.',
			}),
			answers: { 200: { description: 'The program as it is now.', schema: answerOf(Program, 'The program.') } },
			errors: [invalid('Send at least one field to change', 'No field was sent.'), ARCHIVED_ERROR, ...FIXED],
			examples: [
				{
					name: 'change',
					summary: 'A longer window, and another origin',
					params: { id: 2 },
					body: { cookie_window_days: 90, allowed_origins: ['https://second.example', 'https://*.second.example'] },
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
				'It records no clicks, leads and sales, its keys are refused, and it leaves the lists. Refunds and disputes that a payment processor reports still count. Payouts, reports, the portal and erasing personal data work as before. Its short links, coupons and the address of its page stay taken. `GET` of the same path downloads its data.',
			answers: { 200: { description: 'The program, archived.', schema: answerOf(Program, 'The program.') } },
			errors: [conflict('The program is archived already', 'Someone has archived it.')],
			examples: [
				{ name: 'archive', summary: 'Program 2', params: { id: 2 } },
				{ name: 'again', summary: 'It is archived already', params: { id: 2 }, status: 409 },
			],
		},
		{
			method: 'post',
			path: '/restore',
			atLeast: 'owner',
			id: 'restoreProgram',
			summary: 'Restore an archived program',
			description: 'It is as it was before: active, if it was active when it was archived.',
			answers: { 200: { description: 'The program, restored.', schema: answerOf(Program, 'The program.') } },
			errors: [conflict('The program is not archived', 'It never was, or someone has restored it.')],
			examples: [{ name: 'restore', summary: 'Program 2', params: { id: 2 } }],
		},
	]),
];
