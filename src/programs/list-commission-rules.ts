import { and, desc, lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissionRules } from '../db/schema/commission-rules.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type CommissionRule, isInForce, selectRules, toRule } from './commission-rule.ts';

/** The rules in force of a program, newest first. */
export async function listCommissionRules(ctx: Context, programId: number, page: PageRequest): Promise<Page<CommissionRule>> {
	const rows = await selectRules(ctx)
		.where(and(isInForce(programId), page.cursor === undefined ? undefined : lt(commissionRules.id, page.cursor)))
		.orderBy(desc(commissionRules.id))
		.limit(page.limit + 1);
	return pageOf(rows.map(toRule), page.limit);
}
