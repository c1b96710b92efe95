import { desc, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { subIdOfSale } from '../partners/sub-id-of-sale.ts';
import { affiliateSaleEvents as sales } from '../db/schema/sales.ts';
import { factsOf } from '../domain/decision-facts.ts';
import { type AskedMoment, endOf, startOf } from '../domain/moment.ts';
import type { NoCommissionReason } from '../domain/commission.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { type UnearnedReason, unearnedReasonOf, unearnedText } from '../domain/unearned-sale.ts';

/** How many of the program's sales a page looks through: no index leads to the few of a partner that earned nothing. */
export const LOOKED_THROUGH = 25_000;

/** A sale of the partner's that earned nothing. Nothing of it leads to the customer. */
export interface UnearnedSale {
	readonly id: number;
	readonly amountCents: number;
	readonly refundedCents: number;
	readonly currency: string;
	readonly productId: string | null;
	readonly subId: string | null;
	readonly createdAt: number;
	readonly saleDay: string;
	readonly reasonCode: UnearnedReason;
	/** In plain words. */
	readonly reason: string;
}

/** Whose they are. */
interface Membership {
	readonly id: number;
	readonly program: { readonly id: number; readonly timeZone: string };
	/** Before it nothing was theirs, ms. */
	readonly createdAt: number;
}

interface UnearnedRequest extends PageRequest {
	readonly from: AskedMoment | undefined;
	readonly to: AskedMoment | undefined;
}

/**
 * The partner's sales that earned nothing and why, newest first. One trip, which goes along the program's sales and no further than
 * so many: a page may be short, or empty, and not the last.
 */
export async function listUnearnedSales(
	ctx: Context,
	membership: Membership,
	request: UnearnedRequest,
	lookedThrough: number = LOOKED_THROUGH,
): Promise<Page<UnearnedSale>> {
	const { limit } = request;
	const rows = await selectUnearned(ctx, membership, request, lookedThrough);
	const found = rows.filter(({ isEnd }) => !isEnd);
	const shown = found.slice(0, limit);
	const last = found.length > limit ? shown.at(-1) : rows.find(({ isEnd }) => isEnd);
	return {
		rows: shown.map(({ decisionFacts, noCommissionReason, isDuplicate, isEnd: _end, ...sale }) => {
			const facts = factsOf(decisionFacts);
			const unearned = { noCommissionReason, isDuplicate, facts };
			return { ...sale, reasonCode: unearnedReasonOf(unearned), reason: unearnedText(unearned) };
		}),
		nextCursor: last?.id ?? null,
	};
}

/** One more than the limit; and, where there may be more to look through, the last that was looked at, as the end. */
function selectUnearned(
	ctx: Context,
	{ id, createdAt, program: { id: programId, timeZone } }: Membership,
	{ from, to, cursor, limit }: UnearnedRequest,
	lookedThrough: number,
) {
	const since = sql`AND created_at >= ${Math.max(createdAt, from === undefined ? 0 : startOf(from, timeZone))}`;
	const until = to === undefined ? sql`` : sql`AND created_at < ${endOf(to, timeZone)}`;
	const at = sql`(SELECT created_at FROM affiliate_sale_events WHERE id = ${cursor ?? null} AND program_id = ${programId})`;
	const behind = cursor === undefined ? sql`` : sql`AND created_at <= ${at} AND (created_at < ${at} OR id < ${cursor})`;
	const ids = sql`(
		WITH looked AS MATERIALIZED (
			SELECT id, created_at, partner_program_id = ${id} AND commission_state = 'none' AND is_test = 0 AS is_found
			FROM affiliate_sale_events INDEXED BY affiliate_sale_events_by_program
			WHERE program_id = ${programId} ${since} ${until} ${behind}
			ORDER BY created_at DESC, id DESC LIMIT ${lookedThrough}
		)
		SELECT * FROM (SELECT id, 0 AS is_end FROM looked WHERE is_found ORDER BY created_at DESC, id DESC LIMIT ${limit + 1})
		UNION ALL SELECT * FROM (
			SELECT id, 1 FROM looked WHERE (SELECT count(*) FROM looked) = ${lookedThrough} ORDER BY created_at, id LIMIT 1
		)
	) AS chosen`;
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
			isEnd: sql`chosen.is_end`.mapWith(Boolean),
		})
		.from(ids)
		.innerJoin(sales, sql`${sales.id} = chosen.id`)
		.orderBy(desc(sales.createdAt), desc(sales.id));
}
