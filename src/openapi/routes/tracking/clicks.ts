import * as z from 'zod/mini';
import { ClickRequest } from '../../../http/tracking-requests.ts';
import { Count, successful, TestReceipt, Text, Warnings } from '../../answers.ts';
import { rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, type Operation } from '../../operation.ts';
import { ADDITIONAL_DATA, ignoredUnlessText, preflightOf } from './tracking-fields.ts';

export const ClickAnswer = named(
	'ClickAnswer',
	'A recorded click.',
	successful({
		click_id: is(z.string().check(z.regex(/^cust_\d{1,16}_\d{1,16}$/)), 'The id of the click, for the cookie `tracker_click_id`.'),
		partner_code: is(Text, 'The `aff` of the address: the `short_link` of the partner whose link it is.'),
		cookie_window_days: is(Count, "How long the cookie should live, in days: the program's attribution window."),
		cookie_set: is(
			z.optional(z.literal(true)),
			'Where `cookie_domain` was taken: this answer sets the cookies, and the page need not. Whether the browser took them is for the page to see.',
		),
		data: is(z.optional(TestReceipt), 'In test mode only.'),
		warnings: Warnings,
	}),
);

const KEPT =
	'Of its query only `aff`, `sub_id` and the usual `utm_` parameters are stored, and none that contains an e-mail address; the fragment is cut.';

const ORIGIN = 'The origin of the page, as browsers send it. A request without one (curl, a server) is taken too.';

export const clicks: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/track/click',
		legacyPath: '/api/tracking/click',
		id: 'trackClick',
		tag: 'Tracking',
		summary: 'Record a click',
		description:
			'A visitor came by a referral link. Call it from the page that the link leads to, with the address as it is, and keep `click_id` in the first-party cookie `tracker_click_id` for `cookie_window_days`. A visitor who comes by the link of another partner is a new click, and its id replaces the one in the cookie.\n\nCrawlers that run the script of a page (a `user_agent` that begins with `Mozilla/` and names a known bot) get an answer and are kept, but not counted. HTTP libraries and `curl` are counted, since a backend calls by them: one that relays clicks sends the `user_agent` of the visitor. The click shows in reports within ten seconds; a lead or sale can follow at once.',
		caller: 'anybody',
		isLimited: true,
		headers: { Origin: ORIGIN },
		body: {
			...bodyOf('ClickRequest', 'The click. Fields that are not named here are ignored.', ClickRequest, {
				affiliate_url: {
					text: 'The address of the page that the visitor landed on, whole, with the query: its parameter `aff` is the `short_link` of a referral link. At most 4,096 characters.',
					json: { format: 'uri' },
				},
				additional_data: ADDITIONAL_DATA,
				existing_click_id: ignoredUnlessText(
					'The id that the cookie has already. Where it is of the same link and inside the window it is answered again, and no second click is counted.',
				),
				cookie_domain: ignoredUnlessText(
					'Asks for the cookies `tracker_click_id` and `tracker_aff` by `Set-Cookie`, for this domain and what lies under it: the root domain of the shop, such as `shop.example`. For a page under that domain which reaches the service under it too, and sends its credentials. Of any other page it is ignored.',
				),
				page_url: ignoredUnlessText(`The address of the page, if it is another one. ${KEPT} Cut to 512 bytes of UTF-8.`),
				page_title: ignoredUnlessText('The title of the page. Cut to 300 bytes of UTF-8.'),
				referrer_url: ignoredUnlessText(`Where the visitor came from (\`document.referrer\`). ${KEPT} Cut to 512 bytes of UTF-8.`),
				session_id: ignoredUnlessText('Your own id of the visit. Cut to 128 bytes of UTF-8.'),
				user_agent: ignoredUnlessText(
					'The browser of the visitor; by default the `User-Agent` of the request. Tells crawlers. Cut to 512 bytes of UTF-8.',
				),
				language: ignoredUnlessText('The language of the visitor, such as `en-GB`. Cut to 35 bytes of UTF-8.'),
				timezone: ignoredUnlessText('The IANA time zone of the visitor, such as `Europe/Berlin`. Cut to 64 bytes of UTF-8.'),
				sub_id: ignoredUnlessText(
					"What the partner put into the link for itself, such as a network's id of the click; by default the parameter `sub_id` of `affiliate_url`. Comes back with what the click earns. One that is longer than 200 characters, or has control characters, is dropped.",
				),
			}),
			isTextToo: true,
			nullExcept: [],
		},
		answers: {
			200: {
				description: 'The click is recorded, or on its way.',
				schema: ClickAnswer,
				headersAtTimes: {
					'Set-Cookie': 'With `cookie_set`, twice: `tracker_click_id` and `tracker_aff`, for `cookie_window_days`.',
					'Access-Control-Allow-Credentials': 'With `cookie_set`: `true`.',
				},
			},
		},
		errors: [
			rejected('affiliate_url_required', '`affiliate_url` is missing or blank.'),
			rejected('affiliate_url_invalid', '`affiliate_url` is no http or https address, or longer than 4,096 characters.'),
			rejected('aff_missing', 'The address has no query parameter `aff`.'),
			rejected('referral_link_not_found', 'No link has this `short_link`, or it is archived, or its partner or program is not active.'),
			rejected('referral_link_misconfigured', 'The link has no partner or no program any more.'),
			rejected('origin_not_allowed', 'The program of the link does not list the origin of the page. Nothing is recorded.'),
		],
		faults: ['Click tracking failed'],
		examples: [
			{
				name: 'click',
				summary: 'A visitor came by the link of Pat',
				body: { affiliate_url: 'https://shop.example/?aff=pat' },
				headers: { Origin: 'https://shop.example' },
			},
			{
				name: 'details',
				summary: 'With what is known of the page and the visitor',
				headers: { Origin: 'https://shop.example' },
				body: {
					affiliate_url: 'https://shop.example/pricing?aff=pat&sub_id=n-4711&utm_source=newsletter',
					page_title: 'Pricing',
					referrer_url: 'https://blog.example/review',
					language: 'en-GB',
					timezone: 'Europe/London',
				},
			},
			{
				name: 'same_visitor',
				summary: 'The visitor has a click id already: it is answered again',
				bodyIn: ({ clickId }) => ({ affiliate_url: 'https://shop.example/?aff=pat', existing_click_id: clickId }),
			},
			{
				name: 'cookie_domain',
				summary: "On the shop's own domain: the answer sets the cookies",
				headers: { Origin: 'https://www.shop.example' },
				body: { affiliate_url: 'https://www.shop.example/?aff=pat', cookie_domain: 'shop.example' },
			},
			{
				name: 'test_mode',
				summary: 'A flagged test click',
				body: { affiliate_url: 'https://shop.example/?aff=pat', additional_data: { test_mode: true } },
			},
			{
				name: 'unknown_link',
				summary: 'No link has this short_link',
				body: { affiliate_url: 'https://shop.example/?aff=nobody' },
				status: 400,
			},
			{
				name: 'foreign_origin',
				summary: 'A page that the program does not list',
				headers: { Origin: 'https://elsewhere.example' },
				body: { affiliate_url: 'https://shop.example/?aff=pat' },
				status: 403,
			},
		],
	},
	preflightOf('click', 'preflightClick'),
];
