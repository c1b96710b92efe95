import * as z from 'zod/mini';
import { ClickRequest } from '../../../http/tracking-requests.ts';
import type { tracking as trackingRoutes } from '../../../http/tracking.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
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
		partner_code: is(Text, "The `aff` of the address: the `short_link` of the partner's link."),
		cookie_window_days: is(Count, "How long the cookie should live, in days: the program's attribution window."),
		cookie_set: is(
			z.optional(z.literal(true)),
			'Only if `cookie_domain` was accepted: this response sets the cookies, so the page does not need to. The page should check that the browser stored them.',
		),
		data: is(z.optional(TestReceipt), 'In test mode only.'),
		warnings: Warnings,
	}),
);

const KEPT =
	'Of its query, only `aff`, `sub_id` and the usual `utm_` parameters are stored, and none that contains an email address; the fragment is removed.';

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
			"Records a visit through a referral link. Call it from the landing page with the unchanged address, and store `click_id` in the first-party cookie `tracker_click_id` for `cookie_window_days`. A visit through another partner's link is a new click, and its id replaces the one in the cookie.\n\nCrawlers that run page scripts (a `user_agent` that begins with `Mozilla/` and names a known bot) get a response and are stored, but not counted. HTTP libraries and `curl` are counted, because backends use them. A backend that relays clicks should send the visitor's `user_agent`. The click appears in reports within ten seconds; a lead or sale can follow at once.",
		caller: 'anybody',
		isLimited: true,
		headers: { Origin: ORIGIN },
		body: {
			...bodyOf('ClickRequest', 'The click. Fields that are not named here are ignored.', ClickRequest, {
				affiliate_url: {
					text: 'The full address of the landing page, with its query: the parameter `aff` is the `short_link` of a referral link. At most 4,096 characters.',
					json: { format: 'uri' },
				},
				additional_data: ADDITIONAL_DATA,
				existing_click_id: ignoredUnlessText(
					'The click id that the cookie already holds. If it is from the same link and inside the window, it is returned again and no second click is counted.',
				),
				cookie_domain: ignoredUnlessText(
					'Requests the cookies `tracker_click_id` and `tracker_aff` by `Set-Cookie` for this domain and its subdomains: the root domain of the shop, such as `shop.example`. Ignored unless both the page and the address of the service are under that domain. The page must send its credentials.',
				),
				page_url: ignoredUnlessText(`The address of the page, if different. ${KEPT} Cut to 512 bytes of UTF-8.`),
				page_title: ignoredUnlessText('The title of the page. Cut to 300 bytes of UTF-8.'),
				referrer_url: ignoredUnlessText(`Where the visitor came from (\`document.referrer\`). ${KEPT} Cut to 512 bytes of UTF-8.`),
				session_id: ignoredUnlessText('Your own id for the visit. Cut to 128 bytes of UTF-8.'),
				user_agent: ignoredUnlessText(
					"The visitor's browser; by default the `User-Agent` of the request. Identifies crawlers. Cut to 512 bytes of UTF-8.",
				),
				language: ignoredUnlessText('The language of the visitor, such as `en-GB`. Cut to 35 bytes of UTF-8.'),
				timezone: ignoredUnlessText('The IANA time zone of the visitor, such as `Europe/Berlin`. Cut to 64 bytes of UTF-8.'),
				sub_id: ignoredUnlessText(
					"The partner's own value in the link, such as a network's click id; by default the parameter `sub_id` of `affiliate_url`. Returned with what the click earns. Dropped if it is longer than 200 characters or has control characters.",
				),
			}),
			isTextToo: true,
			nullExcept: [],
		},
		answers: {
			200: {
				description: 'The click is recorded or queued.',
				schema: answerOfRoute<typeof trackingRoutes, '/click', '$post'>()(ClickAnswer),
				headersAtTimes: {
					'Set-Cookie': 'With `cookie_set`, twice: `tracker_click_id` and `tracker_aff`, for `cookie_window_days`.',
					'Access-Control-Allow-Credentials': 'With `cookie_set`: `true`.',
				},
			},
		},
		errors: [
			rejected('affiliate_url_required', '`affiliate_url` is missing or blank.'),
			rejected('affiliate_url_invalid', '`affiliate_url` is not an http or https address, or is longer than 4,096 characters.'),
			rejected('aff_missing', 'The address has no query parameter `aff`.'),
			rejected('referral_link_not_found', 'No link has this `short_link`, or it is archived, or its partner or program is not active.'),
			rejected('referral_link_misconfigured', 'The partner or program of the link no longer exists.'),
			rejected('origin_not_allowed', 'The program of the link does not list the origin of the page. Nothing is recorded.'),
		],
		faults: ['Click tracking failed'],
		examples: [
			{
				name: 'click',
				summary: "A visit through Pat's link",
				body: { affiliate_url: 'https://shop.example/?aff=pat' },
				headers: { Origin: 'https://shop.example' },
			},
			{
				name: 'details',
				summary: 'With details of the page and the visitor',
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
				summary: 'The visitor already has a click id: it is returned again',
				bodyIn: ({ clickId }) => ({ affiliate_url: 'https://shop.example/?aff=pat', existing_click_id: clickId }),
			},
			{
				name: 'cookie_domain',
				summary: "On the shop's own domain: the response sets the cookies",
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
