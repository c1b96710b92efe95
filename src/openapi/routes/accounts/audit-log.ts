import * as z from 'zod/mini';
import { AUDIT_COLUMNS, AuditQuery } from '../../../http/management/accounts/audit-log.ts';
import { Id, Instant, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { invalid } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { fieldsOf } from '../../operation.ts';
import { underWorkspace } from '../../under.ts';
import { User } from './auth.ts';

export const AuditEntry = named(
	'AuditEntry',
	'Something that someone did, or was refused.',
	z.object({
		id: is(Id, 'Id of the entry.'),
		at: is(Instant, 'When, UTC.'),
		user: is(z.nullable(User), 'Who; null if it was nobody known.'),
		action: is(Text, 'What, as noun and verb: `program_key.reveal`, `invitation.create`. The parameter of the list names all.'),
		program_id: is(z.nullable(Id), 'Id of the program; null if it is about none.'),
		subject_id: is(z.nullable(Id), 'Id of the thing that the action is named after.'),
		address: is(z.nullable(Text), 'The IP address that the call came from; null if it is not known.'),
		detail: is(z.record(z.string(), z.unknown()), 'What was changed, or sent. Never a password, key or token.'),
	}),
);

export const auditLog = underWorkspace('/audit-log', [
	{
		method: 'get',
		atLeast: 'owner',
		id: 'readAuditLog',
		summary: 'Read the audit log',
		description:
			'Who did what in the workspace, when and from where, newest first. With `Accept: text/csv`, a CSV of all matching entries, up to 1,000,000 lines, unless a `limit` is given.',
		query: fieldsOf(AuditQuery, {
			...PAGE_FIELDS,
			action: 'Only this one, such as `invitation.create`.',
			program_id: 'Only entries about the program with this id.',
			user_id: 'Only what the person of this number did.',
			from: 'A day, or a time, of UTC where it names no other offset; it belongs to the range.',
			to: 'The same; the day or the time belongs to the range too.',
		}),
		answers: {
			200: {
				description: 'A page of entries.',
				schema: pageOf(AuditEntry, 'Entries, newest first.'),
				csv: `\`${AUDIT_COLUMNS}\``,
			},
		},
		errors: [invalid('from must not be after to', 'The range is empty.')],
		examples: [
			{ name: 'newest', summary: 'The newest entry', query: { limit: '1' } },
			{
				name: 'csv',
				summary: 'What came of invitations, as CSV',
				query: { action: 'member.join' },
				headers: { Accept: 'text/csv' },
			},
		],
	},
]);
