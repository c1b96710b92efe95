import { rejected } from '../../errors.ts';
import type { FieldDoc, Operation } from '../../operation.ts';

export const ADDITIONAL_DATA: FieldDoc = {
	text: 'Options that are not part of the event.',
	fields: {
		test_mode: {
			text: 'If true, a flagged test record is written and nothing real changes: no balance, commission or metric, and no real `transaction_id` is used.',
			json: { default: false },
		},
	},
};

export const CUSTOMER_KEY = {
	text: 'Your own stable id of the customer, the same for the lead and every sale. 1 to 255 characters, unique within the program. A missing value turned into text (`undefined`, `null`, `NaN`, `[object Object]`) gets a 400, because all such customers would share it.',
	json: { not: { type: 'string', pattern: '^\\s*(undefined|null|NaN|\\[object Object\\])\\s*$' } },
} as const;

export const CLICK_ID = 'The id in the cookie `tracker_click_id`. An altered or invented id counts as unknown.';

/** A detail that never causes a 400. */
export function ignoredUnlessText(text: string): FieldDoc {
	return { text: `${text} Anything but a string is ignored.`, json: { type: 'string', 'x-lenient': true } };
}

export function preflightOf(route: 'click' | 'lead', id: string): Operation {
	return {
		method: 'options',
		path: `/api/v1/track/${route}`,
		legacyPath: `/api/tracking/${route}`,
		id,
		tag: 'Tracking',
		summary: `Preflight of a ${route}`,
		description: `Browsers send it automatically before a page of another origin may send a ${route} as \`application/json\`. It has no body, so any origin that an active program lists is accepted; the ${route} itself is then checked against the origins of its own program. A ${route} sent as \`text/plain\` needs no preflight.`,
		caller: 'anybody',
		isLimited: true,
		headers: { Origin: 'The origin of the page, as browsers send it.' },
		answers: {
			204: {
				description: `The page may send the ${route}.`,
				headers: {
					'Access-Control-Allow-Origin': 'The origin of the request.',
					'Access-Control-Allow-Methods': '`POST`',
					'Access-Control-Allow-Headers': '`Content-Type`',
					'Access-Control-Max-Age': 'Seconds for which the browser may cache the preflight.',
				},
			},
		},
		errors: [rejected('origin_not_allowed', 'No active program lists the origin, or the request has none.')],
		examples: [
			{
				name: 'preflight',
				summary: 'A page of the shop',
				headers: {
					Origin: 'https://shop.example',
					'Access-Control-Request-Method': 'POST',
					'Access-Control-Request-Headers': 'content-type',
				},
			},
			{ name: 'foreign_origin', summary: 'A page that no program lists', headers: { Origin: 'https://elsewhere.example' }, status: 403 },
		],
	};
}
