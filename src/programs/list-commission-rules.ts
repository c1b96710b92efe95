import { desc, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { partners } from '../db/schema/partners.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { type CommissionRule, isCurrentVersion, isInForce, ruleColumns, toRule } from './commission-rule.ts';

export interface NamedRule extends CommissionRule {
	readonly partner: { readonly id: number; readonly name: string } | null;
	readonly group: { readonly id: number; readonly name: string } | null;
}

export async function listCommissionRules(ctx: Context, programId: number, request: PageRequest): Promise<Page<NamedRule>> {
	const list = { order: newestFirst(commissionRules.id), where: isInForce(programId) };
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) =>
		ctx.db
			.select({
				...ruleColumns,
				partner: { id: partners.id, name: partners.name },
				group: { id: partnerGroups.id, name: partnerGroups.name },
			})
			.from(commissionRules)
			.innerJoin(commissionRuleVersions, isCurrentVersion)
			.leftJoin(partners, eq(partners.id, commissionRules.partnerId))
			.leftJoin(partnerGroups, eq(partnerGroups.id, commissionRules.groupId))
			.where(isOnPage)
			.orderBy(desc(commissionRules.id))
			.limit(limit),
	);
	return mapPage(page, ({ partner, group, ...rule }) => ({ ...toRule(rule), partner, group }));
}
