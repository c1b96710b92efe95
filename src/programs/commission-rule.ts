import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import type { Terms } from '../domain/commissions/terms.ts';

/** A null covers every partner, group or product. */
export interface RuleScope {
	readonly partnerId: number | null;
	readonly groupId: number | null;
	readonly productId: string | null;
}

export interface CommissionRule extends RuleScope {
	readonly id: number;
	readonly version: number;
	readonly terms: Terms;
}

export const termsColumns = {
	type: commissionRuleVersions.type,
	basisPoints: commissionRuleVersions.basisPoints,
	amountCents: commissionRuleVersions.amountCents,
	currency: commissionRuleVersions.currency,
	recurringMonths: commissionRuleVersions.recurringMonths,
	holdDays: commissionRuleVersions.holdDays,
} as const;

export const ruleColumns = {
	id: commissionRules.id,
	partnerId: commissionRules.partnerId,
	groupId: commissionRules.groupId,
	productId: commissionRules.productId,
	version: commissionRuleVersions.version,
	...termsColumns,
} as const;

export const isCurrentVersion = and(
	eq(commissionRuleVersions.ruleId, commissionRules.id),
	eq(commissionRuleVersions.version, commissionRules.currentVersion),
);

export function selectRules(ctx: Context) {
	return ctx.db.select(ruleColumns).from(commissionRules).innerJoin(commissionRuleVersions, isCurrentVersion);
}

export function isInForce(programId: number | SQL<number>) {
	return and(eq(commissionRules.programId, programId), isNull(commissionRules.archivedAt));
}

export function toRule(row: Awaited<ReturnType<typeof selectRules>>[number]): CommissionRule {
	const { id, version, partnerId, groupId, productId, ...terms } = row;
	return { id, version, partnerId, groupId, productId, terms: toTerms(id, terms) };
}

/** A CHECK ensures that the columns of the type are set. */
export function toTerms(ruleId: number, { type, basisPoints, amountCents, currency, recurringMonths, holdDays }: StoredTerms): Terms {
	const shared = { recurringMonths, holdDays };
	if (type === 'percent' && basisPoints !== null) return { type, basisPoints, amountCents: null, currency: null, ...shared };
	if (type === 'flat' && amountCents !== null && currency !== null) return { type, basisPoints: null, amountCents, currency, ...shared };
	throw new Error(`Commission rule ${ruleId} has no terms`);
}

type StoredTerms = Pick<typeof commissionRuleVersions.$inferSelect, keyof Terms>;

/** In the transaction, the largest id is the inserted rule. */
export const newestRuleId: SQL<number> = sql`(SELECT max(${commissionRules.id}) FROM ${commissionRules})`;

/** The first version must follow in the same batch. */
export function insertRule(ctx: Context, programId: number | SQL<number>, scope: RuleScope): Statement {
	return ctx.db.insert(commissionRules).values({ programId, ...scope, currentVersion: 1, createdAt: ctx.now });
}

export function insertRuleVersion(ctx: Context, ruleId: number | SQL<number>, version: number, terms: Terms): Statement {
	return ctx.db.insert(commissionRuleVersions).values({ ruleId, version, ...terms, createdAt: ctx.now });
}
