import * as z from 'zod/mini';
import { LeadRequest } from '../../../http/tracking-requests.ts';
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
			lead_id: is(Id, 'Id of the lead event; of the first one where a page tells the `customer_key` of a lead that it has sent.'),
			attributed: is(
				z.boolean(),
				'Whether a partner brought the customer. False from a backend means that no valid click came with this lead or an earlier one: see that `click_id` is what the cookie holds.',
			),
			message: is(Text, 'For people.'),
			warnings: Warnings,
		}),
		successful({ message: is(Text, 'For people.'), data: is(TestReceipt, 'In test mode.'), warnings: Warnings }),
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
			"A visitor signed up. **Browser mode**: a page of a listed origin sends `click_id`, without a key. **Server mode**: your backend sends the program key with `customer_key`, `click_id` or, best, both: that binds them, and from then on `customer_key` alone finds the partner. An `Authorization` header that is wrong is a 401, never browser mode.\n\nIn server mode a `customer_key` without a click is recorded too, unattributed. A customer who is known but unattributed takes the first valid click that is sent with its key and the program key.\n\nA page never changes a customer that is known, since anybody can have a click of their own: there a click is one lead, and a `customer_key` that is known is a 400. Only the click's own customer may be given its key by a second call. So let the backend send `click_id` with its lead where both report; `GET /api/v1/cli/status` counts the leads of pages that came too late. One click attributes the leads of at most 1,001 customers; beyond them leads are recorded unattributed, while sales are attributed always.",
		caller: 'key or anybody',
		isLimited: true,
		headers: { Origin: 'The origin of the page, as browsers send it. In server mode it does not matter.' },
		body: {
			...bodyOf(
				'LeadRequest',
				'The lead: `click_id`, `customer_key` or both. Fields that are not named here are ignored; a blank string counts as left out.',
				LeadRequest,
				{
					click_id: CLICK_ID,
					customer_key: CUSTOMER_KEY,
					email: {
						text: 'E-mail address of the customer, at most 254 characters. It improves attribution: a lead from a backend with an unknown `customer_key` and no valid click is matched to an earlier lead that the backend sent with the same address and no key. Kept as a keyed hash, in clear only where the program says so; from a page never for matching. What cannot be an address is ignored.',
						json: { type: 'string', 'x-lenient': true },
					},
					additional_data: ADDITIONAL_DATA,
				},
			),
			isTextToo: true,
			nullExcept: [],
		},
		answers: { 200: { description: 'The lead is recorded.', schema: LeadAnswer } },
		errors: [
			rejected('lead_identity_required', 'Both ids are missing or blank.'),
			rejected('lead_customer_not_found', 'Without a key: the click id is unknown. With one: so it is, and there is no `customer_key`.'),
			rejected('lead_customer_elsewhere', 'The click or the key belongs to another program.'),
			rejected(
				'lead_status_locked',
				'The lead is recorded already, or the customer has bought; and the call tells nothing new, or is a page that may not tell it.',
			),
			rejected('origin_not_allowed', 'Browser mode: the program of the click does not list the origin of the page.'),
			rejected('customer_key_from_browser', 'Browser mode: the program takes leads by `customer_key` from its backend only.'),
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
			{ name: 'again', summary: 'A lead that is recorded', as: 'key', body: { customer_key: 'user-1002' }, status: 400 },
			{ name: 'nobody', summary: 'Without any id', as: 'key', body: {}, status: 400 },
		],
	},
	preflightOf('lead', 'preflightLead'),
];
