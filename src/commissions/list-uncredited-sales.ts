import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type List, type ListOrder, newestFirst, readPage, sortedBy } from '../db/list.ts';
import { unindexed } from '../db/unindexed.ts';
import { subIdOfSale } from './sub-id-of-sale.ts';
import { affiliateSaleEvents as sales } from '../db/schema/sales.ts';
import { factsOf } from '../domain/commissions/decision-facts.ts';
import { type DayOrInstantInQuery, endOf, startOf } from '../domain/moment.ts';
import type { NoCommissionReason } from '../domain/commissions/commission.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { type UncreditedReason, uncreditedReasonOf, uncreditedText } from '../domain/commissions/uncredited-sale.ts';

/** Contains nothing that could identify the customer. */
export interface UncreditedSale {
	readonly id: number;
	readonly amountCents: number;
	readonly refundedCents: number;
	readonly currency: string;
	readonly productId: string | null;
	readonly subId: string | null;
	readonly createdAt: number;
	readonly saleDay: string;
	readonly reasonCode: UncreditedReason;
	/** In plain words. */
	readonly reason: string;
}

interface Membership {
	readonly id: number;
	readonly program: { readonly id: number; readonly timeZone: string };
	/** In ms. Earlier sales do not belong to the partner. */
	readonly createdAt: number;
}

interface UncreditedRequest extends PageRequest {
	readonly from: DayOrInstantInQuery | undefined;
	readonly to: DayOrInstantInQuery | undefined;
}

/** Newest first. No index covers these sales, so a page reads a window of the program's sales. */
export async function listUncreditedSales(ctx: Context, membership: Membership, request: UncreditedRequest): Promise<Page<UncreditedSale>> {
	const page = await readPage(ctx.db, listOf(membership, request), request, (isOnPage, limit) => selectUncredited(ctx, isOnPage, limit));
	return mapPage(page, ({ decisionFacts, noCommissionReason, isDuplicate, ...sale }) => {
		const uncredited = { noCommissionReason, isDuplicate, facts: factsOf(decisionFacts) };
		return { ...sale, reasonCode: uncreditedReasonOf(uncredited), reason: uncreditedText(uncredited) };
	});
}

const NEWEST_FIRST: ListOrder = {
	...newestFirst(sales.id),
	keys: [sql`${sales.createdAt}`, sql`${sales.id}`],
	compare: (sign, id) =>
		sql`(${sales.createdAt}, ${sales.id}) ${sql.raw(sign)} (SELECT o.created_at, o.id FROM affiliate_sale_events o WHERE o.id = ${id})`,
};

function listOf({ id, createdAt, program }: Membership, { from, to }: UncreditedRequest): List {
	const since = Math.max(createdAt, from === undefined ? 0 : startOf(from, program.timeZone));
	return {
		order: NEWEST_FIRST,
		where: and(
			eq(sales.programId, program.id),
			gte(sales.createdAt, since),
			to === undefined ? undefined : lt(sales.createdAt, endOf(to, program.timeZone)),
		),
		filter: and(unindexed(sales.partnerProgramId, id), eq(sales.commissionState, 'none'), eq(sales.isTest, false)),
	};
}

function selectUncredited(ctx: Context, isOnPage: SQL | undefined, limit: number) {
	return ctx.db
		.select({
			id: sales.id,
			amountCents: sales.amountCents,
			refundedCents: sales.refundedCents,
			currency: sales.currency,
			productId: sales.productId,
			subId: subIdOfSale,
			createdAt: sales.createdAt,
			saleDay: sales.saleDay,
			noCommissionReason: sql<NoCommissionReason>`${sales.noCommissionReason}`,
			decisionFacts: sales.decisionFacts,
			isDuplicate: sql`${sales.duplicateOfSaleId} IS NOT NULL`.mapWith(Boolean),
		})
		.from(sales)
		.where(isOnPage)
		.orderBy(sortedBy(NEWEST_FIRST))
		.limit(limit);
}
