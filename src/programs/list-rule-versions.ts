import { and, desc, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { notFound } from '../domain/rejection.ts';
import type { Terms } from '../domain/commissions/terms.ts';
import { termsColumns, toTerms } from './commission-rule.ts';

export interface RuleVersion {
	readonly id: number;
	readonly version: number;
	readonly terms: Terms;
	readonly createdAt: number;
}

/** Newest first, also of archived rules. Rejects with 404. */
export async function listRuleVersions(
	ctx: Context,
	programId: number,
	{ ruleId, ...request }: PageRequest & { readonly ruleId: number },
): Promise<Page<RuleVersion>> {
	const isOfRule = eq(commissionRules.id, commissionRuleVersions.ruleId);
	const list = {
		order: {
			...newestFirst(commissionRuleVersions.id),
			from: sql`${commissionRuleVersions} JOIN ${commissionRules} ON ${isOfRule}`,
		},
		where: and(eq(commissionRules.programId, programId), eq(commissionRules.id, ruleId)),
	};
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) =>
		ctx.db
			.select({
				id: commissionRuleVersions.id,
				version: commissionRuleVersions.version,
				createdAt: commissionRuleVersions.createdAt,
				...termsColumns,
			})
			.from(commissionRuleVersions)
			.innerJoin(commissionRules, isOfRule)
			.where(isOnPage)
			.orderBy(desc(commissionRuleVersions.id))
			.limit(limit),
	);
	if (page.rows.length === 0 && request.cursor === undefined) throw notFound('Commission rule');
	return mapPage(page, ({ id, version, createdAt, ...terms }) => ({ id, version, createdAt, terms: toTerms(ruleId, terms) }));
}
