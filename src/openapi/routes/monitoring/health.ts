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
			'For uptime monitors. Queries the database at most every five seconds, and checks that cron ran. It needs no sign-in and reveals nothing secret.',
		caller: 'anybody',
		answers: {
			200: {
				description: 'It is well.',
				schema: z.object({
					status: is(z.literal('ok'), 'Always `ok`: else the answer is a 503.'),
					last_tick_at: is(z.nullable(z.iso.datetime()), 'When cron last completed; null before its first run.'),
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
