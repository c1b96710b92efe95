import * as z from 'zod/mini';
import { PageQuery } from '../../../http/page.ts';
import { answerOf, Count, Id, Instant, nothing, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';
import { CLEAR_COOKIE } from './account-fields.ts';

const Session = named(
	'Session',
	'Where a person is signed in.',
	z.object({
		id: is(Id, 'Id of the session.'),
		created_at: is(Instant, 'When it began, UTC.'),
		last_used_at: is(Instant, 'When it was last used, to the hour, UTC.'),
		expires_at: is(Instant, 'When it ends by itself, UTC.'),
		network: is(z.nullable(Text), 'The address where it began: IPv4, or the /64 of IPv6. Null if unknown.'),
		user_agent: is(z.nullable(Text), 'The user agent of the browser or tool in which it began. Null if it sent none.'),
		is_current: is(z.boolean(), 'Whether it is the session of this request.'),
	}),
);

export const sessions = routesFor({ tag: 'Accounts', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/auth/sessions',
		id: 'listSessions',
		summary: 'List sessions',
		description: 'Your own that have not ended, newest first.',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of sessions.', schema: pageOf(Session, 'Sessions, newest first.') } },
		examples: [{ name: 'sessions', summary: 'Where someone is signed in', as: 'leaver' }],
	},
	{
		method: 'delete',
		path: '/api/v1/auth/sessions/:id',
		id: 'endSession',
		summary: 'End a session',
		description: 'One of your own sessions, including the current one.',
		params: { id: 'Id of the session.' },
		answers: { 200: { description: 'It has ended.', schema: nothing, headersAtTimes: CLEAR_COOKIE } },
		errors: [notFound('Session', 'No session has this id, it has ended, or it belongs to someone else.')],
		examples: [
			{ name: 'end', summary: 'Another of your own', params: { id: 6 } },
			{ name: 'elsewhere', summary: 'That of someone else', as: 'leaver', params: { id: 1 }, status: 404 },
		],
	},
	{
		method: 'delete',
		path: '/api/v1/auth/sessions',
		id: 'endOtherSessions',
		summary: 'End all other sessions',
		description: 'All of your sessions except the current one.',
		answers: {
			200: {
				description: 'They have ended.',
				schema: answerOf(z.object({ ended: is(Count, 'How many there were.') }), 'How many have ended.'),
			},
		},
		examples: [{ name: 'others', summary: 'All but this one', as: 'leaver' }],
	},
]);
