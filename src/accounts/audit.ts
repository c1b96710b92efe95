import type { SQL } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { auditEntries } from '../db/schema/accounts.ts';
import type { AuditAction } from '../domain/people/audit-action.ts';
import type { ManagedProgram, ManagedWorkspace } from './membership.ts';
import type { Actor } from './session.ts';

/** What was done, to what. Ids of rows made in the same batch are given as subqueries. */
export interface AuditedAction {
	readonly workspaceId: number | null | SQL<number>;
	readonly programId?: number | SQL<number>;
	readonly action: AuditAction;
	readonly subjectId?: number | SQL<number>;
	/** What changed; never a secret, and nothing that tells who a person is: an entry stays when they are erased. */
	readonly detail?: Record<string, unknown>;
}

/** The audit entry of a management write, for the very batch that does the write. No user: somebody who had not signed in. */
export function auditEntry(
	ctx: Context,
	actor: Pick<Actor, 'address'> & { readonly userId: number | null | SQL<number> },
	entry: AuditedAction,
): Statement {
	return ctx.db.insert(auditEntries).values({
		at: ctx.now,
		workspaceId: entry.workspaceId,
		programId: entry.programId ?? null,
		userId: actor.userId,
		action: entry.action,
		subjectId: entry.subjectId ?? null,
		detail: JSON.stringify(entry.detail ?? {}),
		address: actor.address,
	});
}

/** The same of a write to a program. */
export function auditProgram(
	ctx: Context,
	{ actor, id: programId, workspaceId }: Pick<ManagedProgram, 'actor' | 'id' | 'workspaceId'>,
	entry: Omit<AuditedAction, 'workspaceId' | 'programId'>,
): Statement {
	return auditEntry(ctx, actor, { ...entry, workspaceId, programId });
}

/** The same of a write to a workspace. */
export function auditWorkspace(
	ctx: Context,
	{ actor, id: workspaceId }: Pick<ManagedWorkspace, 'actor' | 'id'>,
	entry: Omit<AuditedAction, 'workspaceId' | 'programId'>,
): Statement {
	return auditEntry(ctx, actor, { ...entry, workspaceId });
}

/** Notes what somebody was refused. What cannot be noted is refused all the same. */
export async function noteRefusal(ctx: Context, actor: Pick<Actor, 'address' | 'userId'>, entry: AuditedAction): Promise<void> {
	try {
		await write(ctx.db, [auditEntry(ctx, actor, entry)]);
	} catch (error) {
		ctx.log({ level: 'error', event: 'refusal_not_audited', action: entry.action, ...describeFault(error) });
	}
}
