import { rejected } from '../../errors.ts';
import type { Operation } from '../../operation.ts';

export const redirect: readonly Operation[] = [
	{
		method: 'get',
		path: '/r/:short_link',
		id: 'followLink',
		tag: 'Links and script',
		summary: 'Follow a referral link',
		description:
			"Counts the click and redirects the visitor to the link's `destination_url`, or to the front page of the program's `domain`. The address gets `aff` and, if a click was recorded, `tracker_click_id`: the browser script keeps that click and does not count another one. Other query parameters of the link (`sub_id`, which is stored with the click, `utm_source` and the like) are passed on, except those that the destination itself has and any beyond the hundredth. Nothing in a request can change where a link leads.\n\nKnown bots and HTTP libraries, HEAD requests, prefetches (`Sec-Purpose`, `Purpose`, `X-Moz`), images and frames in other pages (`Sec-Fetch-Dest`), and visitors who send Global Privacy Control are redirected without being counted.",
		caller: 'anybody',
		isLimited: true,
		params: {
			short_link: {
				text: 'The `short_link` of a referral link.',
				json: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
			},
		},
		headers: {
			'User-Agent': "The visitor's browser. Identifies bots; without it nothing is counted. Cut to 512 bytes.",
			Referer: 'Where the visitor came from. Cut to 512 bytes.',
			'Accept-Language': 'The first language is stored with the click.',
			'Sec-GPC': '`1`: the visitor objects to tracking and is redirected without being recorded.',
			'Sec-Fetch-Dest': 'Counted only if it is `document` or absent.',
			'X-Forwarded-Host':
				"The host that was requested from a proxy in front. If it, or the request's own host, is the program's `domain` or a subdomain, the response sets the cookies.",
		},
		cookies: {
			tracker_click_id:
				"The visitor's current click, if the link is followed on the shop's own domain. A click from the same link, inside the window, is kept and no second click is counted.",
		},
		answers: {
			302: {
				description: 'The visitor is redirected.',
				headers: {
					Location: 'The destination, with `aff` and usually `tracker_click_id` in its query.',
					'Cache-Control': '`no-store`: every visit counts.',
					'X-Robots-Tag': '`noindex`',
				},
				headersAtTimes: {
					'Set-Cookie':
						"Twice, if the link was followed on the program's `domain`: `tracker_click_id` and `tracker_aff`, for `cookie_window_days`.",
				},
			},
		},
		errors: [
			rejected(
				'redirect_unknown',
				'No link has this `short_link`, or it is archived, or its partner or program is not active; or the link was followed on the domain of another program.',
			),
			rejected(
				'redirect_unproved',
				"The host is in the program's `domain`, which is not verified yet. Only if sign-up is open to everyone.",
			),
			rejected('redirect_nowhere', 'The link has no `destination_url`, and its program has no `domain`.'),
		],
		examples: [
			{ name: 'visit', summary: "A visitor follows Pat's link", params: { short_link: 'pat' } },
			{
				name: 'own_domain',
				summary: "On the shop's own domain, through a proxy",
				params: { short_link: 'pat' },
				query: { utm_source: 'newsletter' },
				headers: { 'X-Forwarded-Host': 'go.shop.example' },
			},
			{ name: 'unknown_link', summary: 'No link has this short_link', params: { short_link: 'nobody' }, status: 404 },
		],
	},
];
