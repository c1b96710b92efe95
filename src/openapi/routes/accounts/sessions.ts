import * as z from 'zod/mini';
import { PageQuery } from '../../../http/page.ts';
import type { sessions as sessionRoutes } from '../../../http/management/accounts/sessions.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';
import { CLEAR_COOKIE } from './account-fields.ts';

const Session = named(
	'Session',
	'A session of a person.',
	z.object({
		id: is(Id, "The session's id."),
		created_at: is(Instant, 'When it started, in UTC.'),
		last_used_at: is(Instant, 'When it was last used, to the hour, in UTC.'),
		expires_at: is(Instant, 'When it expires, in UTC.'),
		network: is(z.nullable(Text), 'The network where it started: an IPv4 address or the /64 of an IPv6 address; null if unknown.'),
		user_agent: is(z.nullable(Text), 'The user agent that started it, as reported; null if it reported none.'),
		is_current: is(z.boolean(), 'Whether it is the session of this request.'),
	}),
);

export const sessions = routesFor({ tag: 'Accounts', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/auth/sessions',
		id: 'listSessions',
		summary: 'List sessions',
		description: 'Your sessions that have not ended, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of sessions.',
				schema: answerOfRoute<typeof sessionRoutes, '/', '$get'>()(pageOf(Session, 'Sessions, newest first.')),
			},
		},
		examples: [{ name: 'sessions', summary: 'The sessions of a person', as: 'leaver' }],
	},
	{
		method: 'delete',
		path: '/api/v1/auth/sessions/:id',
		id: 'endSession',
		summary: 'End a session',
		description: "Ends one of your own sessions, even this request's.",
		params: { id: "The session's id." },
		answers: {
			200: {
				description: 'The session has ended.',
				schema: answerOfRoute<typeof sessionRoutes, '/:id', '$delete'>()(nothing),
				headersAtTimes: CLEAR_COOKIE,
			},
		},
		errors: [notFound('Session', 'It does not exist, has ended, or is not yours.')],
		examples: [
			{ name: 'end', summary: 'Another session of your own', params: { id: 6 } },
			{ name: 'elsewhere', summary: "Someone else's session", as: 'leaver', params: { id: 1 }, status: 404 },
		],
	},
	{
		method: 'delete',
		path: '/api/v1/auth/sessions',
		id: 'endOtherSessions',
		summary: 'End all other sessions',
		description: "Ends all of your sessions except this request's.",
		answers: {
			200: {
				description: 'The sessions have ended.',
				schema: answerOfRoute<typeof sessionRoutes, '/', '$delete'>()(
					answerOf(z.object({ ended: is(Count, 'The number of ended sessions.') }), 'The number of ended sessions.'),
				),
			},
		},
		examples: [{ name: 'others', summary: 'All except this one', as: 'leaver' }],
	},
]);
