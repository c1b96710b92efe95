import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissions, ledgerEntries } from '../db/schema/money.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { notFound } from '../domain/rejection.ts';
import { type Payout, selectPayouts } from './payout.ts';

/** The list of commissions has the rest. */
const COMMISSIONS_LIMIT = 500;

type PaidCommission = Awaited<ReturnType<typeof selectPaid>>[number];
type Entry = Awaited<ReturnType<typeof selectEntriesBeside>>[number];

export interface ReadPayout {
	readonly payout: Payout;
	readonly commissions: readonly PaidCommission[];
	/** With and without a commission. */
	readonly entries: readonly Entry[];
}

/** One round trip. Rejects with 404. */
export async function readPayout(ctx: Context, program: { readonly id: number }, payoutId: number): Promise<ReadPayout> {
	const { payouts, paid, beside } = await read(ctx.db, {
		payouts: selectPayouts(ctx, program.id, { ids: [payoutId], withAllIds: true }),
		paid: selectPaid(ctx, program.id, payoutId),
		beside: selectEntriesBeside(ctx, payoutId),
	});
	const [payout] = payouts;
	if (!payout) throw notFound('Payout');
	return { payout, commissions: paid, entries: [...paid.map(({ entry }) => entry), ...beside].toSorted((a, b) => a.id - b.id) };
}

const entryColumns = {
	id: ledgerEntries.id,
	kind: ledgerEntries.kind,
	commissionId: ledgerEntries.commissionId,
	movedCents: ledgerEntries.appliedCents,
	balanceAfterCents: ledgerEntries.balanceAfterCents,
	createdAt: ledgerEntries.createdAt,
} as const;

function selectPaid(ctx: Context, programId: number, payoutId: number) {
	return ctx.db
		.select({
			id: commissions.id,
			status: commissions.status,
			amountCents: commissions.amountCents,
			deductedCents: commissions.deductedCents,
			transactionId: affiliateSaleEvents.transactionId,
			createdAt: commissions.createdAt,
			entry: entryColumns,
		})
		.from(commissions)
		.innerJoin(affiliateSaleEvents, eq(affiliateSaleEvents.id, commissions.saleId))
		.innerJoin(ledgerEntries, and(eq(ledgerEntries.commissionId, commissions.id), sql`${ledgerEntries.kind} = 'payout'`))
		.where(and(eq(commissions.programId, programId), eq(commissions.payoutId, payoutId)))
		.orderBy(asc(commissions.id))
		.limit(COMMISSIONS_LIMIT);
}

/** Recovered debt, paid surplus, and the return of a failed payout. */
function selectEntriesBeside(ctx: Context, payoutId: number) {
	return ctx.db
		.select(entryColumns)
		.from(ledgerEntries)
		.where(and(eq(ledgerEntries.payoutId, payoutId), isNull(ledgerEntries.commissionId)));
}
