import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { isInRangeOf } from '../db/begins.ts';
import { read } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { foundOf } from '../partners/find-by-text.ts';
import { selectFoundPartners } from '../partners/find-partners.ts';
import { isSaleFound } from './commission-filter.ts';

/** Some commissions, one partner, or a condition to check on each commission. */
export type CommissionSearch =
	| { readonly kind: 'commissions'; readonly isFound: SQL }
	| { readonly kind: 'partner'; readonly partnerId: number; readonly isFound: SQL }
	| { readonly kind: 'any'; readonly isFound: SQL };

/** If more match, transaction ids are not used as a key. */
const MOST_TRANSACTIONS = 100;
/** The most matching transaction ids to read. Other programs' may match too. */
const LOOKED_AT = 1_000;

/**
 * Resolves a search in one round trip: a whole transaction id, which finds only its commission; otherwise the start of one, part of a
 * partner's name or email address, or a product id.
 */
export async function searchCommissions(ctx: Context, programId: number, search: string): Promise<CommissionSearch> {
	const { transactions, looked } = await read(ctx.db, {
		transactions: selectTransactions(ctx, programId, search),
		looked: selectFoundPartners(ctx, programId, search),
	});
	const partners = foundOf(looked);
	const exact = transactions.filter(({ isWhole }) => isWhole);
	if (exact.length > 0) return { kind: 'commissions', isFound: isAmong(exact) };
	const [partnerId, ...others] = partners.ids;
	if (partnerId === undefined && transactions.length > 0 && isEachOf(transactions))
		return { kind: 'commissions', isFound: isAmong(transactions) };
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
	/** Matching transaction ids of all programs. */
	readonly looked: number;
}

function selectTransactions(ctx: Context, programId: number, search: string) {
	return ctx.db
		.select({
			commissionId: sql<number>`commission_id`,
			isWhole: sql`transaction_id = ${search}`.mapWith(Boolean),
			looked: sql<number>`looked`,
		})
		.from(
			sql`(
			WITH alike AS MATERIALIZED (
				SELECT id, program_id, processor_event_id FROM affiliate_sale_events INDEXED BY affiliate_sale_events_one_per_transaction
				WHERE ${isInRangeOf('processor_event_id', search)} AND is_test = 0
				ORDER BY processor_event_id LIMIT ${LOOKED_AT}
			)
			SELECT c.id AS commission_id, alike.processor_event_id AS transaction_id, (SELECT count(*) FROM alike) AS looked
			FROM alike CROSS JOIN commissions c
			WHERE alike.program_id = ${programId} AND c.sale_id = alike.id LIMIT ${MOST_TRANSACTIONS + 1})`,
		);
}

function isEachOf(transactions: readonly FoundTransaction[]): boolean {
	return transactions.length <= MOST_TRANSACTIONS && (transactions[0]?.looked ?? 0) < LOOKED_AT;
}

function isAmong(found: readonly FoundTransaction[]): SQL {
	return sql`${commissions.id} IN (SELECT value FROM json_each(${JSON.stringify(found.map(({ commissionId }) => commissionId))}))`;
}
