import { and, desc, gte, eq, sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { scopeOf } from '../domain/commissions/commission.ts';
import { factsOf } from '../domain/commissions/decision-facts.ts';
import { type LinesPreview, previewLines } from '../domain/commissions/lines-preview.ts';
import type { SellingRule } from '../domain/commissions/sale-lines.ts';
import { type CommissionRule, isInForce, selectRules, toRule } from './commission-rule.ts';

const DAYS = 90;

/** The most that is read or compared. */
export interface PreviewLimits {
	readonly sales: number;
	readonly carts: number;
	readonly rules: number;
}

const LIMITS: PreviewLimits = { sales: 5_000, carts: 500, rules: 2_000 };
/** Skips longer lists, to keep the result small. */
const LONGEST_LINE_ITEMS = 8_192;

export interface RulesByLinePreview extends LinesPreview {
	readonly from: number;
	/** Without test sales. */
	readonly salesRead: number;
	/** Whether every sale of these days was compared. */
	readonly isComplete: boolean;
}

/**
 * Compares what carts of the last 90 days would earn by line and as a whole under the current rules (decision 53). One round trip with
 * bounded reads.
 */
export async function previewRulesByLine(
	ctx: Context,
	program: Pick<ManagedProgram, 'id'>,
	limits: PreviewLimits = LIMITS,
): Promise<RulesByLinePreview> {
	const from = ctx.now - DAYS * DAY_MS;
	const { counted, carts, rules } = await read(ctx.db, {
		counted: countSales(ctx, program.id, from, limits.sales),
		carts: selectCarts(ctx, program.id, from, limits),
		rules: selectRules(ctx)
			.where(isInForce(program.id))
			.limit(limits.rules + 1),
	});
	const { read: found, sales } = counted[0] ?? { read: 0, sales: 0 };
	const inForce = rules.slice(0, limits.rules).map(toRule);
	const compared = carts.slice(0, limits.carts).flatMap(({ facts, lineItems, partnerId, groupId, ...sale }) => {
		if (!facts || lineItems === null) return [];
		return [{ ...sale, facts, lineItems, rules: inForce.filter(isOf(partnerId, groupId)).map(sellingRule) }];
	});
	const isComplete = found <= limits.sales && carts.length <= limits.carts && rules.length <= limits.rules;
	return { from, salesRead: Math.min(sales, limits.sales), isComplete, ...previewLines(compared) };
}

function newestSales(programId: number, from: number, limit: number) {
	return sql`(SELECT id FROM affiliate_sale_events WHERE program_id = ${programId} AND created_at >= ${from}
		ORDER BY created_at DESC LIMIT ${limit})`;
}

function countSales(ctx: Context, programId: number, from: number, limit: number) {
	return ctx.db
		.select({ read: sql<number>`count(*)`, sales: sql<number>`count(*) FILTER (WHERE ${affiliateSaleEvents.isTest} = 0)` })
		.from(affiliateSaleEvents)
		.where(sql`${affiliateSaleEvents.id} IN ${newestSales(programId, from, limit + 1)}`);
}

/** Excludes single payments with an invoice, because their checkout reports no lines. */
function selectCarts(ctx: Context, programId: number, from: number, limits: PreviewLimits) {
	const sales = affiliateSaleEvents;
	return ctx.db
		.select({
			id: sales.id,
			transactionId: sales.transactionId,
			createdAt: sales.createdAt,
			productId: sales.productId,
			lineItems: sales.lineItems,
			facts: sql<ReturnType<typeof factsOf> | null>`${sales.decisionFacts}`.mapWith(factsOf),
			partnerId: partnerPrograms.partnerId,
			groupId: partnerPrograms.groupId,
		})
		.from(sales)
		.innerJoin(partnerPrograms, eq(partnerPrograms.id, sales.partnerProgramId))
		.where(
			and(
				gte(sales.createdAt, from),
				sql`${sales.id} IN ${newestSales(programId, from, limits.sales)} AND ${sales.isTest} = 0 AND ${sales.duplicateOfSaleId} IS NULL
					AND ${sales.decisionFacts} IS NOT NULL AND ${sales.lineItems} LIKE '[%' AND length(${sales.lineItems}) <= ${LONGEST_LINE_ITEMS}
					AND NOT (${sales.saleType} = 'payment' AND ${sales.invoiceId} IS NOT NULL)`,
			),
		)
		.orderBy(desc(sales.createdAt))
		.limit(limits.carts + 1);
}

function isOf(partner: number, group: number | null) {
	return ({ partnerId, groupId }: CommissionRule): boolean =>
		(partnerId === null || partnerId === partner) && (groupId === null || groupId === group);
}

function sellingRule({ id, partnerId, groupId, productId, terms }: CommissionRule): SellingRule {
	return { ...terms, ruleVersionId: id, scope: scopeOf(partnerId, groupId, productId), productId };
}
