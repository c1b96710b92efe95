import type { SQL } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { auditEntries } from '../db/schema/accounts.ts';
import type { AuditAction } from '../domain/people/audit-action.ts';
import type { ManagedProgram, ManagedWorkspace } from './membership.ts';
import type { Actor } from './session.ts';

/** Ids of rows inserted in the same batch are subqueries. */
export interface AuditedAction {
	readonly workspaceId: number | null | SQL<number>;
	readonly programId?: number | SQL<number>;
	readonly action: AuditAction;
	readonly subjectId?: number | SQL<number>;
	/** Never secrets or personal data, because entries outlive an erasure. */
	readonly detail?: Record<string, unknown>;
}

/** Belongs in the batch of the audited write. The user is null if nobody was signed in. */
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

export function auditProgram(
	ctx: Context,
	{ actor, id: programId, workspaceId }: Pick<ManagedProgram, 'actor' | 'id' | 'workspaceId'>,
	entry: Omit<AuditedAction, 'workspaceId' | 'programId'>,
): Statement {
	return auditEntry(ctx, actor, { ...entry, workspaceId, programId });
}

export function auditWorkspace(
	ctx: Context,
	{ actor, id: workspaceId }: Pick<ManagedWorkspace, 'actor' | 'id'>,
	entry: Omit<AuditedAction, 'workspaceId' | 'programId'>,
): Statement {
	return auditEntry(ctx, actor, { ...entry, workspaceId });
}

/** If recording fails, the attempt is still refused. */
export async function noteRefusal(ctx: Context, actor: Pick<Actor, 'address' | 'userId'>, entry: AuditedAction): Promise<void> {
	try {
		await write(ctx.db, [auditEntry(ctx, actor, entry)]);
	} catch (error) {
		ctx.log({ level: 'error', event: 'refusal_not_audited', action: entry.action, ...describeFault(error) });
	}
}
