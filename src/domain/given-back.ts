import { proportionOf } from './money.ts';

// How much of a sale has been given back, from all that was told of it. It depends on the set of what was told, not on the
// order or the number of times: a payment processor's messages come late, twice and crosswise.

/** What a processor told of money given back. Amounts are minor units of `currency`, that of the charge; instants ms UTC. */
export interface ToldReversal {
	readonly kind: 'refund' | 'dispute' | 'total';
	/** The processor's id of the refund or dispute; of a total its charge, a colon, and what tells it from the charge's others. */
	readonly reversalId: string;
	readonly amountCents: number;
	readonly currency: string;
	/** When the refund or dispute was made, or the total was true. */
	readonly happenedAt: number;
	/** When the refund failed or the dispute was won: from then on it does not count. */
	readonly undoneAt: number | null;
}

/** What a sale's refunds are reckoned upon. Minor units. */
export interface PaidSale {
	readonly amountCents: number;
	readonly currency: string;
	/** What the processor charged for it, tax included; null where no processor told. */
	readonly chargedCents: number | null;
	/** Sum of what the refund endpoint reported, in the sale's own money. */
	readonly reportedRefundCents: number;
}

/**
 * What is given back of a sale, minor units, at most its amount. Refunds and disputes count by their share of what was charged.
 * What the refund endpoint reported is the same money told by another mouth, so it counts only as far as it goes beyond what the
 * processor told, refunds that failed included: when a refund fails, its report fails with it. A dispute that was won takes no
 * report with it: what had been refunded before stays so (decisions 14, 16 and 19).
 */
export function refundedOf(sale: PaidSale, told: readonly ToldReversal[]): number {
	const chargedCents = sale.chargedCents ?? sale.amountCents;
	// Where nobody told what was charged, the share of another currency's amount cannot be known.
	const known = sale.chargedCents === null ? told.filter(({ currency }) => currency === sale.currency) : told;
	const refunds = known.filter(({ kind }) => kind === 'refund');
	const standing = known.filter(({ kind, undoneAt }) => kind === 'dispute' && undoneAt === null);
	const inAll = unexplainedOf(known) + sumOf(refunds) + sumOf(standing);
	const failed = sumOf(refunds.filter(({ undoneAt }) => undoneAt !== null));
	const shareOf = (cents: number) => proportionOf(sale.amountCents, Math.min(cents, chargedCents), chargedCents);
	const reportedBeyond = Math.max(0, sale.reportedRefundCents - shareOf(inAll));
	return Math.min(sale.amountCents, shareOf(inAll - failed) + reportedBeyond);
}

/** What was told, with something more: of one thing the greater amount counts, and once undone it stays undone. */
export function toldWith(told: readonly ToldReversal[], news: readonly ToldReversal[]): ToldReversal[] {
	const byId = new Map<string, ToldReversal>();
	for (const reversal of [...told, ...news]) {
		const id = `${reversal.kind} ${reversal.reversalId}`;
		const known = byId.get(id);
		byId.set(id, known ? joined(known, reversal) : reversal);
	}
	return [...byId.values()];
}

function joined(known: ToldReversal, again: ToldReversal): ToldReversal {
	const undone = [known.undoneAt, again.undoneAt].filter((at) => at !== null);
	return {
		...known,
		amountCents: Math.max(known.amountCents, again.amountCents),
		happenedAt: Math.min(known.happenedAt, again.happenedAt),
		undoneAt: undone.length === 0 ? null : Math.min(...undone),
	};
}

/**
 * What totals tell of refunds that nobody told of by id: of each charge the most that a total exceeds the refunds known of that
 * moment. A refund that was made later, or had failed before, is not in the total.
 */
function unexplainedOf(told: readonly ToldReversal[]): number {
	const refunds = told.filter(({ kind }) => kind === 'refund');
	const totals = told.filter(({ kind }) => kind === 'total');
	let sum = 0;
	for (const ofCharge of Map.groupBy(totals, ({ reversalId }) => chargeOf(reversalId)).values()) {
		const excesses = ofCharge.map(({ amountCents, happenedAt: at }) => {
			const explained = refunds.filter(({ happenedAt, undoneAt }) => happenedAt <= at && (undoneAt === null || undoneAt >= at));
			return amountCents - sumOf(explained);
		});
		sum += Math.max(0, ...excesses);
	}
	return sum;
}

function chargeOf(totalId: string): string {
	return totalId.split(':', 1).join();
}

function sumOf(reversals: readonly ToldReversal[]): number {
	return reversals.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
