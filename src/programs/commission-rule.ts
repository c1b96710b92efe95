import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import type { Terms } from '../domain/terms.ts';

/** Whose sales a rule covers: everyone's, a product's, a partner's, or a partner's sales of a product. */
export interface RuleScope {
	readonly partnerId: number | null;
	readonly productId: string | null;
}

/** A rule in force, with its current terms. */
export interface CommissionRule extends RuleScope {
	readonly id: number;
	readonly version: number;
	readonly terms: Terms;
}

/** A rule with its current version; the caller says which. */
export function selectRules(ctx: Context) {
	return ctx.db
		.select({
			id: commissionRules.id,
			partnerId: commissionRules.partnerId,
			productId: commissionRules.productId,
			version: commissionRuleVersions.version,
			type: commissionRuleVersions.type,
			basisPoints: commissionRuleVersions.basisPoints,
			amountCents: commissionRuleVersions.amountCents,
			currency: commissionRuleVersions.currency,
			recurringMonths: commissionRuleVersions.recurringMonths,
			holdDays: commissionRuleVersions.holdDays,
		})
		.from(commissionRules)
		.innerJoin(
			commissionRuleVersions,
			and(eq(commissionRuleVersions.ruleId, commissionRules.id), eq(commissionRuleVersions.version, commissionRules.currentVersion)),
		);
}

/** The conditions of a rule in force of a program. */
export function isInForce(programId: number) {
	return and(eq(commissionRules.programId, programId), isNull(commissionRules.archivedAt));
}

/** A row of selectRules as a rule. A CHECK keeps the columns of its type filled. */
export function toRule(row: Awaited<ReturnType<typeof selectRules>>[number]): CommissionRule {
	const { id, partnerId, productId, version, type, basisPoints, amountCents, currency, recurringMonths, holdDays } = row;
	const shared = { recurringMonths, holdDays };
	if (type === 'percent' && basisPoints !== null)
		return { id, version, partnerId, productId, terms: { type, basisPoints, amountCents: null, currency: null, ...shared } };
	if (type === 'flat' && amountCents !== null && currency !== null)
		return { id, version, partnerId, productId, terms: { type, basisPoints: null, amountCents, currency, ...shared } };
	throw new Error(`Commission rule ${id} has no terms`);
}

/** Inside one transaction the largest id is the rule that was just inserted. */
export const newestRuleId: SQL<number> = sql`(SELECT max(${commissionRules.id}) FROM ${commissionRules})`;

/** A rule at its first version, which follows in the same batch. */
export function insertRule(ctx: Context, programId: number | SQL<number>, scope: RuleScope): Statement {
	return ctx.db
		.insert(commissionRules)
		.values({ programId, partnerId: scope.partnerId, productId: scope.productId, currentVersion: 1, createdAt: ctx.now });
}

export function insertRuleVersion(ctx: Context, ruleId: number | SQL<number>, version: number, terms: Terms): Statement {
	return ctx.db.insert(commissionRuleVersions).values({ ruleId, version, ...terms, createdAt: ctx.now });
}
