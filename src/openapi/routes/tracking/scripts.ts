import * as z from 'zod/mini';
import { BROWSER_SCRIPTS } from '../../../http/browser-scripts.ts';
import { fieldsOf, type Operation } from '../../operation.ts';

const query = fieldsOf(() => z.object({ v: z.optional(z.string()) }), {
	v: 'A version. If it is the current one, the script may be cached forever; otherwise for an hour.',
});

function scriptRoute(name: keyof typeof BROWSER_SCRIPTS, id: string, summary: string, description: string): Operation {
	return {
		method: 'get',
		path: `/${name}`,
		id,
		tag: 'Links and script',
		summary,
		description: `${description} Pages of any origin may load it and check its integrity.`,
		caller: 'anybody',
		query,
		headers: { 'If-None-Match': 'The `ETag` of the version that the browser has.' },
		answers: {
			200: {
				description: 'The script.',
				media: 'text/javascript',
				headers: {
					ETag: 'Identifies the version of the script.',
					'Cache-Control': 'An hour; forever if `v` names this version.',
				},
			},
			304: { description: 'Unchanged.' },
		},
		examples: [
			{ name: 'script', summary: 'The script' },
			{
				name: 'unchanged',
				summary: 'The browser already has it',
				headers: { 'If-None-Match': `"${BROWSER_SCRIPTS[name].version}"` },
				status: 304,
			},
		],
	};
}

export const scripts: readonly Operation[] = [
	scriptRoute(
		'tracker.js',
		'readScript',
		'The browser script',
		'The script for the pages of a shop: it reports clicks, stores the click id and provides `tracker(...)`. The browser guide explains how to use it.',
	),
	scriptRoute(
		'tracker-extras.js',
		'readScriptExtras',
		'The second part of the browser script',
		'Loaded by the browser script itself on pages that have Stripe elements, marked forms or links to other domains of the shop.',
	),
];
