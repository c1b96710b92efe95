import * as z from 'zod/mini';
import { cronAdvice } from '../../../domain/monitoring/clock.ts';
import { DATABASE_AWAY, type health as healthRoutes } from '../../../http/health.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { is } from '../../json-schema.ts';
import type { Operation } from '../../operation.ts';

export const health: readonly Operation[] = [
	{
		method: 'get',
		path: '/health',
		id: 'readHealth',
		tag: 'Operations',
		summary: 'Check the health of the service',
		description:
			'For monitoring. Checks that the database responds, at most every five seconds, and that cron runs every minute. Needs no sign-in and contains nothing secret.',
		caller: 'anybody',
		answers: {
			200: {
				description: 'The service is healthy.',
				schema: answerOfRoute<typeof healthRoutes, '/', '$get'>()(
					z.object({
						status: is(z.literal('ok'), 'Always `ok`; otherwise the response is a 503.'),
						last_tick_at: is(
							z.nullable(z.iso.datetime()),
							'When cron last completed, in UTC; null until it first has, in the first minutes of a service.',
						),
					}),
				),
			},
		},
		errors: [
			{ status: 503, text: DATABASE_AWAY, when: 'The database fails, or takes more than five seconds.' },
			{
				status: 503,
				text: cronAdvice(null).replace('has never run', '{last}'),
				when: 'Cron last completed more than five minutes ago; or it never did, and the first sign-up was more than five minutes ago.',
			},
		],
		examples: [{ name: 'well', summary: 'A healthy service' }],
	},
];
