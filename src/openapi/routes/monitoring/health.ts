import * as z from 'zod/mini';
import { cronAdvice } from '../../../domain/monitoring/clock.ts';
import { DATABASE_AWAY } from '../../../http/health.ts';
import { is } from '../../json-schema.ts';
import type { Operation } from '../../operation.ts';

export const health: readonly Operation[] = [
	{
		method: 'get',
		path: '/health',
		id: 'readHealth',
		tag: 'Operations',
		summary: 'Whether the service is well',
		description:
			'For whatever watches it: asks the database one small question, at most every five seconds, and whether the work of every minute is done. Nobody has to sign in, and nothing in it is secret.',
		caller: 'anybody',
		answers: {
			200: {
				description: 'It is well.',
				schema: z.object({
					status: is(z.literal('ok'), 'Always `ok`: else the answer is a 503.'),
					last_tick_at: is(
						z.nullable(z.iso.datetime()),
						'When the work of every minute last came to its end; null before it first did, in the first minutes of a service.',
					),
				}),
			},
		},
		errors: [
			{ status: 503, text: DATABASE_AWAY, when: 'The database refuses, or takes more than five seconds.' },
			{
				status: 503,
				text: cronAdvice(null).replace('has never run', '{last}'),
				when: 'It last ran more than five minutes ago; or it never did, and someone signed up more than five minutes ago.',
			},
		],
		examples: [{ name: 'well', summary: 'It is well' }],
	},
];
