import { eq } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import { requireProgramRole } from '../accounts/membership.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { runBatch } from '../db/client.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { requireRule } from './change-commission-rule.ts';

/** Takes a rule out of force; what it earned stays. Owners and admins. */
export async function archiveCommissionRule(ctx: Context, actor: Actor, programId: number, ruleId: number): Promise<void> {
	const { workspaceId } = await requireProgramRole(ctx, actor, programId, 'admin');
	await requireRule(ctx, programId, ruleId);
	await runBatch(ctx.db, [
		ctx.db.update(commissionRules).set({ archivedAt: ctx.now }).where(eq(commissionRules.id, ruleId)),
		auditEntry(ctx, actor, { workspaceId, programId, action: 'commission_rule.archive', subjectId: ruleId }),
	]);
}
