import * as z from 'zod/mini';
import { AUDIT_COLUMNS, AuditQuery, type auditLog as auditLogRoutes } from '../../../http/management/accounts/audit-log.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underWorkspace } from '../../under.ts';
import { User } from './auth.ts';

export const AuditEntry = named(
	'AuditEntry',
	'An action that someone took or was refused.',
	z.object({
		id: is(Id, "The entry's id."),
		at: is(Instant, 'When it happened, in UTC.'),
		user: is(z.nullable(User), 'The person; null if unknown.'),
		action: is(Text, 'The action as noun and verb, such as `program_key.reveal`. The `action` parameter of the list has all values.'),
		program_id: is(z.nullable(Id), "The program's id; null if no program is involved."),
		subject_id: is(z.nullable(Id), 'The id of the object that the action is named after.'),
		address: is(z.nullable(Text), 'The IP address of the caller; null if unknown.'),
		detail: is(z.record(z.string(), z.unknown()), 'What was changed or sent. Never contains a password, key or token.'),
	}),
);

export const auditLog = underWorkspace('/audit-log', [
	{
		method: 'get',
		atLeast: 'owner',
		id: 'readAuditLog',
		summary: 'Read the audit log',
		description:
			'Who did what in the workspace, when and from where, newest first. `Accept: text/csv` returns all matching entries as CSV, up to 1,000,000 lines, unless `limit` is sent.',
		query: fieldsOf(AuditQuery, {
			...PAGE_FIELDS,
			action: 'Only this action, such as `invitation.create`.',
			program_id: 'Only entries about the program with this id.',
			user_id: 'Only actions of the person with this id.',
			from: 'The first day or time, inclusive. In UTC unless it has an offset.',
			to: 'The last day or time, inclusive. In UTC unless it has an offset.',
		}),
		answers: {
			200: {
				description: 'A page of entries.',
				schema: answerOfRoute<typeof auditLogRoutes, '/', '$get'>()(pageOf(AuditEntry, 'Entries, newest first.')),
				csv: `\`${AUDIT_COLUMNS}\``,
			},
		},
		errors: [invalid('from must not be after to', 'The range is empty.')],
		examples: [
			{ name: 'newest', summary: 'The newest entry', query: { limit: '1' } },
			{
				name: 'csv',
				summary: 'Members who joined, as CSV',
				query: { action: 'member.join' },
				headers: { Accept: 'text/csv' },
			},
		],
	},
]);
