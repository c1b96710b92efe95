import { eq } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { requireRule } from './change-commission-rule.ts';

/** Commissions of the rule stay. Needs an admin. Rejects with 404. */
export async function archiveCommissionRule(ctx: Context, program: ManagedProgram, ruleId: number): Promise<void> {
	await requireRule(ctx, program.id, ruleId);
	await write(ctx.db, [
		ctx.db.update(commissionRules).set({ archivedAt: ctx.now }).where(eq(commissionRules.id, ruleId)),
		auditProgram(ctx, program, { action: 'commission_rule.archive', subjectId: ruleId }),
	]);
}
