import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { auditEntries, users } from '../db/schema/accounts.ts';
import { type AskedMoment, endOf, startOf } from '../domain/moment.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { invalid } from '../domain/rejection.ts';
import type { ManagedWorkspace } from './membership.ts';

export interface AuditFilter extends PageRequest {
	readonly action: string | undefined;
	readonly programId: number | undefined;
	readonly userId: number | undefined;
	/** Both ends belong to the range; days are those of UTC. */
	readonly from: AskedMoment | undefined;
	readonly to: AskedMoment | undefined;
}

export type AuditEntry = Awaited<ReturnType<typeof selectEntries>>[number];

/** Who did what in the workspace, newest first. */
export async function listAuditEntries(ctx: Context, workspace: ManagedWorkspace, filter: AuditFilter): Promise<Page<AuditEntry>> {
	const { action, programId, userId, cursor, limit } = filter;
	const from = filter.from && startOf(filter.from, 'UTC');
	const to = filter.to && endOf(filter.to, 'UTC');
	if (from !== undefined && to !== undefined && from >= to) throw invalid('from must not be after to');
	const rows = await selectEntries(
		ctx,
		and(
			eq(auditEntries.workspaceId, workspace.id),
			action === undefined ? undefined : eq(auditEntries.action, action),
			programId === undefined ? undefined : eq(auditEntries.programId, programId),
			userId === undefined ? undefined : eq(auditEntries.userId, userId),
			from === undefined ? undefined : gte(auditEntries.at, from),
			to === undefined ? undefined : lt(auditEntries.at, to),
			cursor === undefined ? undefined : lt(auditEntries.id, cursor),
		),
		limit + 1,
	);
	return pageOf(rows, limit);
}

function selectEntries(ctx: Context, condition: SQL | undefined, limit: number) {
	return ctx.db
		.select({
			id: auditEntries.id,
			at: auditEntries.at,
			action: auditEntries.action,
			programId: auditEntries.programId,
			subjectId: auditEntries.subjectId,
			user: { id: users.id, name: users.name, email: users.email },
			address: auditEntries.address,
			detail: auditEntries.detail,
		})
		.from(auditEntries)
		.leftJoin(users, eq(users.id, auditEntries.userId))
		.where(condition)
		.orderBy(desc(auditEntries.id))
		.limit(limit);
}
