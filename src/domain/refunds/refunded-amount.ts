import { proportionOf } from '../money.ts';

// How much of a sale has been given back, from all that was told of it. It depends on the set of what was told, not on the
// order or the number of times: a payment processor's messages come late, twice and crosswise.

/** What a processor told of money given back. Amounts are minor units of `currency`, that of the charge; instants ms UTC. */
export interface ReportedReversal {
	readonly kind: 'refund' | 'dispute' | 'total';
	/** The processor's id of the refund or dispute; of a total its charge, a colon, and what tells it from the charge's others. */
	readonly reversalId: string;
	readonly amountCents: number;
	readonly currency: string;
	/** When the refund or dispute was made, or the total was true. */
	readonly happenedAt: number;
	/** When the refund failed, by the earliest event that says so; when the dispute was won, by the latest. */
	readonly undoneAt: number | null;
	/** The latest event by which the dispute stood; null for refunds and totals, and where no event said so. */
	readonly stoodAt: number | null;
	/** Of which charge it is; null where nobody told. */
	readonly chargeId: string | null;
	/** What was captured of that charge, in its currency; null where nobody told. */
	readonly chargeCents: number | null;
}

/** What a sale's refunds are shares of. Minor units. */
export interface PaidSale {
	readonly amountCents: number;
	readonly currency: string;
	/** What the processor charged for it, tax included; null where no processor told. */
	readonly chargedCents: number | null;
	/** Of `chargedCents`; null where that was stored without. */
	readonly chargedCurrency: string | null;
	/** Sum of what the refund endpoint reported, in the sale's own money. */
	readonly reportedRefundCents: number;
}

/** A refund as the endpoint was told of it. Of one sale each refund_id comes once, and none at most once (decision 16). */
export interface RefundReport {
	readonly refundId: string | null;
	/** In the sale's own money; null where that was not kept. */
	readonly cents: number | null;
}

interface ReportedSale {
	readonly reportedRefundCents: number;
	readonly reports: readonly RefundReport[];
}

/**
 * What was reported of sales that turn out to be one payment. A refund that was reported of several of them under one refund_id, or
 * under none, is one refund: the greatest amount counts.
 */
export function reportedOf(sales: readonly ReportedSale[]): number {
	const known = new Map<string | null, number>();
	let sum = 0;
	for (const { reportedRefundCents, reports } of sales) {
		let again = 0;
		for (const [refundId, centsOfId] of Map.groupBy(reports, (report) => report.refundId)) {
			const cents = Math.max(...centsOfId.map((report) => report.cents ?? 0));
			const before = known.get(refundId);
			if (before !== undefined) again += sharedOf(before, cents);
			known.set(refundId, Math.max(before ?? 0, cents));
		}
		sum += Math.max(0, reportedRefundCents - again);
	}
	return sum;
}

/** The part of two reports that is the same money; 0: how much it was is not known. */
function sharedOf(one: number, other: number): number {
	return one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other);
}

/**
 * What is given back of a sale, minor units, at most its amount. Refunds and disputes count by their share of what was charged.
 * What the refund endpoint reported is the same money from another source, so it counts only as far as it goes beyond what the
 * processor told, refunds that failed included: when a refund fails, its report fails with it. A dispute that was won takes no
 * report with it: what had been refunded before stays so (decisions 14, 16 and 19).
 */
export function refundedOf(sale: PaidSale, told: readonly ReportedReversal[]): number {
	let standing = 0;
	let ever = 0;
	for (const [currency, ofCurrency] of Map.groupBy(told, (reversal) => reversal.currency)) {
		const baseCents = baseIn(sale, told, currency);
		if (baseCents === undefined) continue;
		const shareOf = (cents: number) => proportionOf(sale.amountCents, Math.min(cents, baseCents), baseCents);
		const refunds = ofCurrency.filter(({ kind }) => kind === 'refund');
		const disputes = ofCurrency.filter((reversal) => reversal.kind === 'dispute' && !isUndone(reversal));
		const inAll = unexplainedOf(ofCurrency) + sumOf(refunds) + sumOf(disputes);
		ever += shareOf(inAll);
		standing += shareOf(inAll - sumOf(refunds.filter(({ undoneAt }) => undoneAt !== null)));
	}
	const reportedBeyond = Math.max(0, sale.reportedRefundCents - ever);
	return Math.min(sale.amountCents, standing + reportedBeyond);
}

/**
 * Whether it no longer counts. A refund that failed never counts again. A dispute that was won counts again if a later event says
 * that it was lost or opened again (decision 52).
 */
export function isUndone({ kind, undoneAt, stoodAt }: Pick<ReportedReversal, 'kind' | 'undoneAt' | 'stoodAt'>): boolean {
	if (undoneAt === null) return false;
	return kind !== 'dispute' || stoodAt === null || undoneAt >= stoodAt;
}

/** Whether amounts of a currency count yet: it is known what they are shares of. */
export function isConvertible(sale: Omit<PaidSale, 'reportedRefundCents'>, told: readonly ReportedReversal[], currency: string): boolean {
	return baseIn(sale, told, currency) !== undefined;
}

/** In which currency the sale was charged, as far as a processor told. */
export function chargedIn(sale: Pick<PaidSale, 'chargedCents' | 'chargedCurrency'>, told: readonly ReportedReversal[]): string | undefined {
	if (sale.chargedCents !== null && sale.chargedCurrency !== null) return sale.chargedCurrency;
	return told.find(({ chargeCents }) => chargeCents !== null)?.currency;
}

/**
 * What amounts of a currency are shares of: what was charged in it for the sale; else its charges, as far as they are known; else
 * the sale itself. Undefined where the currency is that of none of them.
 */
function baseIn(sale: Omit<PaidSale, 'reportedRefundCents'>, told: readonly ReportedReversal[], currency: string): number | undefined {
	if (sale.chargedCents !== null && (sale.chargedCurrency ?? currency) === currency) return sale.chargedCents;
	const charges = new Map<string | null, number>();
	for (const { chargeId, chargeCents, currency: itsCurrency } of told) {
		if (itsCurrency === currency && chargeCents !== null) charges.set(chargeId, Math.max(chargeCents, charges.get(chargeId) ?? 0));
	}
	const captured = [...charges.values()].reduce((sum, cents) => sum + cents, 0);
	if (captured > 0) return captured;
	return currency === sale.currency ? sale.amountCents : undefined;
}

/** What was told, with something more: of one thing the greater amount counts, and of a dispute the latest word. */
export function reportedWith(told: readonly ReportedReversal[], news: readonly ReportedReversal[]): ReportedReversal[] {
	const byId = new Map<string, ReportedReversal>();
	for (const reversal of [...told, ...news]) {
		const id = `${reversal.kind} ${reversal.reversalId}`;
		const known = byId.get(id);
		byId.set(id, known ? joined(known, reversal) : reversal);
	}
	return [...byId.values()];
}

function joined(known: ReportedReversal, again: ReportedReversal): ReportedReversal {
	const lastWord = known.kind === 'dispute' ? greatestOf : leastOf<number>;
	return {
		...known,
		amountCents: Math.max(known.amountCents, again.amountCents),
		happenedAt: Math.min(known.happenedAt, again.happenedAt),
		undoneAt: lastWord([known.undoneAt, again.undoneAt]),
		stoodAt: greatestOf([known.stoodAt, again.stoodAt]),
		chargeId: leastOf([known.chargeId, again.chargeId]),
		chargeCents: leastOf([known.chargeCents, again.chargeCents]),
	};
}

/** Null where none is known. */
function leastOf<Value extends number | string>(values: readonly (Value | null)[]): Value | null {
	return values
		.filter((value) => value !== null)
		.reduce<Value | null>((least, value) => (least === null || value < least ? value : least), null);
}

/** Null where none is known. */
function greatestOf(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : Math.max(...known);
}

/** What totals tell of refunds that nobody told of by id: of each charge the most that a total exceeds the refunds in it. */
function unexplainedOf(told: readonly ReportedReversal[]): number {
	const refunds = told.filter(({ kind }) => kind === 'refund');
	const totals = told.filter(({ kind }) => kind === 'total');
	let sum = 0;
	for (const [charge, ofCharge] of Map.groupBy(totals, ({ reversalId }) => chargeOf(reversalId))) {
		const itsRefunds = refunds.filter(({ chargeId }) => chargeId === null || chargeId === charge);
		const excesses = ofCharge.map((total) => total.amountCents - sumOf(refundsIn(total, itsRefunds)));
		sum += Math.max(0, ...excesses);
	}
	return sum;
}

/** A charge tells its total when something of it is refunded: of that refund it is so close. */
const NEW_MS = 5_000;

/**
 * The refunds that a total has in it: not one that was made later, or had failed before. Of one that failed in its very second the
 * total itself must say: it is not in there where that would make the total too small, or leave nothing new for it to tell of.
 */
function refundsIn({ amountCents, happenedAt: at }: ReportedReversal, refunds: readonly ReportedReversal[]): ReportedReversal[] {
	const possible = refunds.filter(({ happenedAt, undoneAt }) => happenedAt <= at && (undoneAt === null || undoneAt >= at));
	const restCents = amountCents - sumOf(possible);
	const tellsOfSomethingNew = restCents > 0 || possible.some(({ happenedAt }) => happenedAt > at - NEW_MS);
	return restCents >= 0 && tellsOfSomethingNew ? possible : possible.filter(({ undoneAt }) => undoneAt !== at);
}

function chargeOf(totalId: string): string {
	return totalId.split(':', 1).join();
}

function sumOf(reversals: readonly ReportedReversal[]): number {
	return reversals.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
