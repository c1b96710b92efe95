import { and, desc, eq, lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { notFound } from '../domain/rejection.ts';
import type { Terms } from '../domain/terms.ts';
import { termsColumns, toTerms } from './commission-rule.ts';

export interface RuleVersion {
	readonly id: number;
	readonly version: number;
	readonly terms: Terms;
	readonly createdAt: number;
}

/** What a rule said and says, newest first; of one that is archived too. Rejects with 404. */
export async function listRuleVersions(
	ctx: Context,
	programId: number,
	{ ruleId, cursor, limit }: PageRequest & { readonly ruleId: number },
): Promise<Page<RuleVersion>> {
	const rows = await ctx.db
		.select({
			id: commissionRuleVersions.id,
			version: commissionRuleVersions.version,
			createdAt: commissionRuleVersions.createdAt,
			...termsColumns,
		})
		.from(commissionRuleVersions)
		.innerJoin(commissionRules, eq(commissionRules.id, commissionRuleVersions.ruleId))
		.where(
			and(
				eq(commissionRules.programId, programId),
				eq(commissionRules.id, ruleId),
				cursor === undefined ? undefined : lt(commissionRuleVersions.id, cursor),
			),
		)
		.orderBy(desc(commissionRuleVersions.id))
		.limit(limit + 1);
	if (rows.length === 0 && cursor === undefined) throw notFound('Commission rule');
	const versions = rows.map(({ id, version, createdAt, ...terms }) => ({ id, version, createdAt, terms: toTerms(ruleId, terms) }));
	return pageOf(versions, limit);
}
