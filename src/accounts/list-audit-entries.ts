import { and, desc, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { auditEntries, users } from '../db/schema/accounts.ts';
import type { AuditAction } from '../domain/people/audit-action.ts';
import { type DayOrInstantInQuery, endOf, startOf } from '../domain/moment.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { invalid } from '../domain/rejection.ts';
import type { ManagedWorkspace } from './membership.ts';
import type { Actor } from './session.ts';

export interface AuditFilter extends PageRequest {
	readonly action: AuditAction | undefined;
	readonly programId: number | undefined;
	readonly userId: number | undefined;
	/** Both ends are included; days are in UTC. */
	readonly from: DayOrInstantInQuery | undefined;
	readonly to: DayOrInstantInQuery | undefined;
}

export type AuditEntry = Awaited<ReturnType<typeof selectEntries>>[number];

/** Concurrent requests can make ids deviate from time order, but never by more than this. */
const OVERTAKEN = 1_000;

export async function listAuditEntries(ctx: Context, workspace: ManagedWorkspace, filter: AuditFilter): Promise<Page<AuditEntry>> {
	const { action, programId, userId } = filter;
	const from = filter.from && startOf(filter.from, 'UTC');
	const to = filter.to && endOf(filter.to, 'UTC');
	if (from !== undefined && to !== undefined && from >= to) throw invalid('from must not be after to');
	const isOf = [
		action === undefined ? undefined : eq(auditEntries.action, action),
		userId === undefined ? undefined : eq(auditEntries.userId, userId),
		programId === undefined ? undefined : eq(auditEntries.programId, programId),
	].filter((condition) => condition !== undefined);
	const list = {
		order: newestFirst(auditEntries.id),
		where: and(
			eq(auditEntries.workspaceId, workspace.id),
			from === undefined
				? undefined
				: and(gte(auditEntries.at, from), sql`${auditEntries.id} >= ${firstIdOf(workspace, from)} - ${OVERTAKEN}`),
			to === undefined ? undefined : and(lt(auditEntries.at, to), sql`${auditEntries.id} <= ${lastIdOf(workspace, to)} + ${OVERTAKEN}`),
			// SQLite uses only one index, so one condition selects the rows and the others filter them.
			isOf[0],
		),
		filter: and(...isOf.slice(1)),
	};
	return readPage(ctx.db, list, filter, (isOnPage, limit) => selectEntries(ctx, isOnPage, limit));
}

function firstIdOf({ id }: ManagedWorkspace, from: number): SQL {
	return sql`(SELECT id FROM audit_entries INDEXED BY audit_entries_by_time WHERE workspace_id = ${id} AND at >= ${from} ORDER BY at LIMIT 1)`;
}

function lastIdOf({ id }: ManagedWorkspace, to: number): SQL {
	return sql`(SELECT id FROM audit_entries INDEXED BY audit_entries_by_time WHERE workspace_id = ${id} AND at < ${to} ORDER BY at DESC LIMIT 1)`;
}

/** Newest first. Includes attempts by people who were not signed in. */
export async function listOwnEntries(ctx: Context, { userId }: Pick<Actor, 'userId'>, request: PageRequest): Promise<Page<AuditEntry>> {
	const isAbout = sql`coalesce(${auditEntries.userId}, ${auditEntries.subjectId}) = ${userId}`;
	const list = { order: newestFirst(auditEntries.id), where: and(isNull(auditEntries.workspaceId), isAbout) };
	return readPage(ctx.db, list, request, (isOnPage, limit) => selectEntries(ctx, isOnPage, limit));
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
