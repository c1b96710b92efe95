import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type AuditEntry, listAuditEntries } from '../../../accounts/list-audit-entries.ts';
import { AUDIT_ACTIONS } from '../../../domain/people/audit-action.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { wantsCsv } from '../../csv.ts';
import { answerList } from '../../csv-list.ts';
import { PageQuery } from '../../page.ts';
import { query } from '../../validate.ts';
import { IsoDayOrInstant, QueryId } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { requireWorkspace } from '../session.ts';

export const AuditQuery = once(() =>
	z.extend(PageQuery(), {
		action: z.optional(z.enum(AUDIT_ACTIONS, 'must be a known action. All actions are listed at /docs/reference/workspaces#readAuditLog')),
		program_id: z.optional(QueryId()),
		user_id: z.optional(QueryId()),
		from: z.optional(IsoDayOrInstant()),
		to: z.optional(IsoDayOrInstant()),
	}),
);

export const AUDIT_COLUMNS = 'id,at,user_id,user_name,user_email,action,program_id,subject_id,address,detail';

/** /api/v1/workspaces/:id/audit-log */
export const auditLog = new Hono<AppEnv>().get('/', requireWorkspace('owner'), query(AuditQuery), async (c) => {
	const { ctx, workspace } = c.var;
	const { program_id: programId, user_id: userId, action, from, to, cursor, limit, total } = c.req.valid('query');
	return answerList(c, {
		name: 'audit-log',
		header: AUDIT_COLUMNS,
		isCsv: wantsCsv(c),
		page: { cursor, limit, total },
		read: (page) => listAuditEntries(ctx, workspace, { action, programId, userId, from, to, ...page }),
		onWire: entryOnWire,
		inLine: csvRowOf,
	});
});

export function entryOnWire({ id, at, user, action, programId, subjectId, address, detail }: AuditEntry) {
	const parsed: unknown = JSON.parse(detail);
	return { id, at: isoOf(at), user, action, program_id: programId, subject_id: subjectId, address, detail: parsed };
}

function csvRowOf(entry: AuditEntry) {
	const { id, name, email } = entry.user ?? { id: null, name: null, email: null };
	return { ...entryOnWire(entry), user_id: id, user_name: name, user_email: email, detail: entry.detail };
}
