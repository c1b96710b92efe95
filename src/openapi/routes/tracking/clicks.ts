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
			'If `cookie_domain` was accepted: this response sets the cookies, so the page need not. The page must check whether the browser accepted them.',
		),
		data: is(z.optional(TestReceipt), 'In test mode only.'),
		warnings: Warnings,
	}),
);

const KEPT =
	'Only `aff`, `sub_id` and the usual `utm_` parameters of its query are stored, and none that contains an email address. The fragment is removed.';

const ORIGIN = 'The origin of the page, as browsers send it. A request without one (curl, a server) is accepted too.';

export const clicks: readonly Operation[] = [
	{
		method: 'post',
		path: '/api/v1/track/click',
		legacyPath: '/api/tracking/click',
		id: 'trackClick',
		tag: 'Tracking',
		summary: 'Record a click',
		description:
			"Records that a visitor followed a referral link. Call it from the landing page with the unchanged address, and store `click_id` in the first-party cookie `tracker_click_id` for `cookie_window_days`. If the visitor follows another partner's link, that is a new click, whose id replaces the one in the cookie.\n\nCrawlers that run a page's script (a `user_agent` that begins with `Mozilla/` and names a known bot) get a normal response and are stored, but not counted. HTTP libraries and `curl` are counted, because backends use them: a backend that relays clicks must send the visitor's `user_agent`. The click appears in reports within ten seconds. A lead or sale can follow immediately.",
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
					'The id from the existing cookie. If it belongs to the same link and is inside the window, it is returned again, and no second click is counted.',
				),
				cookie_domain: ignoredUnlessText(
					'Requests the cookies `tracker_click_id` and `tracker_aff` in `Set-Cookie`, for this domain and its subdomains: the root domain of the shop, such as `shop.example`. For a page on that domain that calls the service on the same domain, with credentials. Ignored for other pages.',
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
					"The partner's own value, such as a network's click id; by default the parameter `sub_id` of `affiliate_url`. It is returned with the earnings of the click. A value longer than 200 characters or with control characters is ignored.",
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
				summary: 'A visitor follows Pat’s link',
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
