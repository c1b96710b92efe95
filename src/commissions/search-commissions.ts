import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import { findPartners } from '../partners/find-partners.ts';
import { isSaleFound } from './commission-filter.ts';

/** What a search leads to: some commissions, one partner, or a condition to check on each commission. */
export type CommissionSearch =
	| { readonly kind: 'commissions'; readonly isFound: SQL }
	| { readonly kind: 'partner'; readonly partnerId: number; readonly isFound: SQL }
	| { readonly kind: 'any'; readonly isFound: SQL };

/** With more matches, the beginning of a transaction id is no key. */
const MOST_TRANSACTIONS = 100;
/** How many matching transaction ids are read; other programs' may begin alike. */
const LOOKED_AT = 1_000;
const LAST_CHARACTER = '\u{10ffff}';

/**
 * Resolves a search by the indexes of transaction ids and partners: a transaction id, which finds only its commission; else the beginning
 * of one, a part of a partner's name or email address, or a product id. One trip.
 */
export async function searchCommissions(ctx: Context, programId: number, search: string): Promise<CommissionSearch> {
	const [{ transactions, isEach }, partners] = await Promise.all([
		findTransactions(ctx, programId, search),
		findPartners(ctx, programId, search),
	]);
	const exact = transactions.filter(({ isWhole }) => isWhole);
	if (exact.length > 0) return { kind: 'commissions', isFound: isAmong(exact) };
	const [partnerId, ...others] = partners.ids;
	if (partnerId === undefined && transactions.length > 0 && isEach) return { kind: 'commissions', isFound: isAmong(transactions) };
	const isOfPartner = sql`${commissions.partnerProgramId} IN (
		SELECT pp.id FROM json_each(${JSON.stringify(partners.ids)}) AS found CROSS JOIN partner_programs pp
		WHERE pp.program_id = ${programId} AND pp.partner_id = found.value)`;
	if (partnerId !== undefined && others.length === 0 && transactions.length === 0)
		return { kind: 'partner', partnerId, isFound: isOfPartner };
	return { kind: 'any', isFound: sql`(${isOfPartner} OR ${isSaleFound(search)})` };
}

interface FoundTransaction {
	readonly commissionId: number;
	readonly isWhole: boolean;
}

/** Commissions whose transaction id begins with the search, and whether these are all. */
async function findTransactions(ctx: Context, programId: number, search: string) {
	const rows = await ctx.db.all<{ commissionId: number | null; isWhole: number; looked: number }>(sql`
		WITH alike AS MATERIALIZED (
			SELECT id, program_id, processor_event_id FROM affiliate_sale_events INDEXED BY affiliate_sale_events_one_per_transaction
			WHERE processor_event_id >= ${search} AND processor_event_id < ${search + LAST_CHARACTER} AND is_test = 0
			ORDER BY processor_event_id LIMIT ${LOOKED_AT}
		)
		SELECT c.id AS commissionId, alike.processor_event_id = ${search} AS isWhole, (SELECT count(*) FROM alike) AS looked
		FROM alike CROSS JOIN commissions c
		WHERE alike.program_id = ${programId} AND c.sale_id = alike.id LIMIT ${MOST_TRANSACTIONS + 1}`);
	const transactions: FoundTransaction[] = rows.flatMap(({ commissionId, isWhole }) =>
		commissionId === null ? [] : [{ commissionId, isWhole: isWhole === 1 }],
	);
	return { transactions, isEach: rows.length <= MOST_TRANSACTIONS && (rows[0]?.looked ?? 0) < LOOKED_AT };
}

function isAmong(found: readonly FoundTransaction[]): SQL {
	return sql`${commissions.id} IN (SELECT value FROM json_each(${JSON.stringify(found.map(({ commissionId }) => commissionId))}))`;
}
