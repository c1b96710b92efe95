import * as z from 'zod/mini';
import { LeadRequest } from '../../../http/tracking-requests.ts';
import type { tracking as trackingRoutes } from '../../../http/tracking.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Id, successful, TestReceipt, Text, Warnings } from '../../answers.ts';
import { rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { ADDITIONAL_DATA, CLICK_ID, CUSTOMER_KEY, preflightOf } from './tracking-fields.ts';

export const LeadAnswer = named(
	'LeadAnswer',
	'A recorded lead.',
	z.union([
		successful({
			lead_id: is(Id, "The lead event's id. If a page adds the `customer_key` to a lead that it has sent, that lead's id."),
			attributed: is(
				z.boolean(),
				'Whether the customer is attributed to a partner. If a call from your backend returns false, neither this lead nor an earlier one had a valid click: check that `click_id` is the value of the cookie.',
			),
			message: is(Text, 'A message for people.'),
			warnings: Warnings,
		}),
		successful({ message: is(Text, 'A message for people.'), data: is(TestReceipt, 'In test mode.'), warnings: Warnings }),
	]),
);

export const leads: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/track/lead',
		legacyPath: '/api/tracking/lead',
		id: 'trackLead',
		tag: 'Tracking',
		summary: 'Record a lead',
		description:
			"Records a sign-up. **Browser mode**: a page of a listed origin sends `click_id` without a key. **Server mode**: your backend sends the program key with `customer_key`, `click_id` or, preferably, both. Sending both binds them, and from then on `customer_key` alone identifies the partner. A wrong `Authorization` header is a 401, never browser mode.\n\nIn server mode a `customer_key` without a click is also recorded, unattributed. A known but unattributed customer is attributed to the first valid click that is sent with its key and the program key.\n\nA page never changes a known customer, because anybody can get a click. In browser mode one click makes one lead, and a known `customer_key` gets a 400. A second call can only add the key to the click's own customer. If both the page and the backend report leads, the backend should send `click_id` with its lead; `GET /api/v1/cli/status` counts the page leads that arrived too late. One click attributes the leads of at most 1,001 customers; further leads are recorded unattributed, while sales are always attributed.",
		caller: 'key or anybody',
		isLimited: true,
		headers: { Origin: 'The origin of the page, as browsers send it. Ignored in server mode.' },
		body: {
			...bodyOf(
				'LeadRequest',
				'The lead: `click_id`, `customer_key` or both. Fields that are not named here are ignored; a blank string counts as omitted.',
				LeadRequest,
				{
					click_id: CLICK_ID,
					customer_key: CUSTOMER_KEY,
					email: {
						text: "The customer's email address, at most 254 characters. It improves attribution: a lead from a backend with an unknown `customer_key` and no valid click is matched to an earlier lead that the backend sent with the same address and no key. Stored as a keyed hash, in plain text only if the program has `keep_emails`; never used for matching if a page sends it. Ignored if it cannot be an address.",
						json: { type: 'string', 'x-lenient': true },
					},
					additional_data: ADDITIONAL_DATA,
				},
			),
			isTextToo: true,
			nullExcept: [],
		},
		answers: {
			200: { description: 'The lead is recorded.', schema: answerOfRoute<typeof trackingRoutes, '/lead', '$post'>()(LeadAnswer) },
		},
		errors: [
			rejected('lead_identity_required', 'Both ids are missing or blank.'),
			rejected(
				'lead_customer_not_found',
				'Browser mode: the click id is unknown. Server mode: it is unknown and there is no `customer_key`.',
			),
			rejected('lead_customer_elsewhere', 'The click or the key belongs to another program.'),
			rejected(
				'lead_status_locked',
				'The lead is already recorded or the customer has bought, and the call adds nothing new or comes from a page that may not add it.',
			),
			rejected('origin_not_allowed', 'Browser mode: the program of the click does not list the origin of the page.'),
			rejected('customer_key_from_browser', 'Browser mode: the program accepts leads by `customer_key` from its backend only.'),
		],
		faults: ['Lead tracking failed'],
		examples: [
			{
				name: 'server',
				summary: 'From the backend: binds the click and the customer',
				as: 'key',
				bodyIn: ({ newClickIds }) => ({ customer_key: 'user-1002', click_id: newClickIds[0], email: 'user@customer.example' }),
			},
			{
				name: 'browser',
				summary: 'From the page, with the click alone',
				as: 'nobody',
				headers: { Origin: 'https://shop.example' },
				bodyIn: ({ newClickIds }) => ({ click_id: newClickIds[1] }),
			},
			{
				name: 'test_mode',
				summary: 'A flagged test lead',
				as: 'key',
				body: { customer_key: 'user-1', additional_data: { test_mode: true } },
			},
			{ name: 'again', summary: 'A lead that is already recorded', as: 'key', body: { customer_key: 'user-1002' }, status: 400 },
			{ name: 'nobody', summary: 'Without any id', as: 'key', body: {}, status: 400 },
		],
	},
	preflightOf('lead', 'preflightLead'),
];
