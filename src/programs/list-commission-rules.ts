import { and, desc, lt } from 'drizzle-orm';
import { requireProgramRole } from '../accounts/membership.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { type Page, pageOf } from '../domain/page.ts';
import { type CommissionRule, isInForce, selectRules, toRule } from './commission-rule.ts';

/** The rules in force of a program, newest first, for any member. */
export async function listCommissionRules(
	ctx: Context,
	actor: Actor,
	programId: number,
	page: { readonly cursor?: number | undefined; readonly limit: number },
): Promise<Page<CommissionRule>> {
	await requireProgramRole(ctx, actor, programId, 'member');
	const rows = await selectRules(ctx)
		.where(and(isInForce(programId), page.cursor === undefined ? undefined : lt(commissionRules.id, page.cursor)))
		.orderBy(desc(commissionRules.id))
		.limit(page.limit + 1);
	return pageOf(rows.map(toRule), page.limit);
}
