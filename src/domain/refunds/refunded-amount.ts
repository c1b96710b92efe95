import { proportionOf } from '../money.ts';

// Computes how much of a sale was refunded. Processors send events late, twice and out of order, so the order and number of reports must
// not matter.

/** A reported refund or dispute. Amounts are in minor units of `currency`, the currency of the charge; instants are ms UTC. */
export interface ReportedReversal {
	readonly kind: 'refund' | 'dispute' | 'total';
	/** For a total: the charge's id, a colon, and a suffix that makes it unique. */
	readonly reversalId: string;
	readonly amountCents: number;
	readonly currency: string;
	/** For a total: when it was correct. */
	readonly happenedAt: number;
	/** When the refund first failed, or the dispute was last won. */
	readonly undoneAt: number | null;
	/** The latest event in which the dispute still counted. */
	readonly stoodAt: number | null;
	readonly chargeId: string | null;
	/** The captured amount of that charge, in its currency; null if unknown. */
	readonly chargeCents: number | null;
}

/** Amounts are in minor units. */
export interface PaidSale {
	readonly amountCents: number;
	readonly currency: string;
	/** The amount that the processor charged, tax included; null if unknown. */
	readonly chargedCents: number | null;
	/** Null in old rows. */
	readonly chargedCurrency: string | null;
	/** In the sale's currency. */
	readonly reportedRefundCents: number;
}

/** A refund reported to the endpoint. A sale has at most one per refund_id, and at most one without an id (decision 16). */
export interface RefundReport {
	readonly refundId: string | null;
	/** In the sale's currency; null in old rows. */
	readonly cents: number | null;
}

interface ReportedSale {
	readonly reportedRefundCents: number;
	readonly reports: readonly RefundReport[];
}

/**
 * Several sales may turn out to be one payment. Reports with the same refund_id, or without one, are one refund, so the greatest amount
 * counts.
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

/** What two reports share. An unknown amount equals the other one. */
function sharedOf(one: number, other: number): number {
	return one === 0 || other === 0 ? Math.max(one, other) : Math.min(one, other);
}

/**
 * The refunded amount in minor units, at most the sale's amount. Backend and processor report the same money, so only the backend's excess
 * over all processor reports, failed refunds included, is added (decisions 14, 16, 19). A won dispute cancels no report of the backend.
 */
export function refundedOf(sale: PaidSale, reversals: readonly ReportedReversal[]): number {
	let netRefunded = 0;
	let ever = 0;
	for (const [currency, ofCurrency] of Map.groupBy(reversals, (reversal) => reversal.currency)) {
		const baseCents = baseIn(sale, reversals, currency);
		if (baseCents === undefined) continue;
		const shareOf = (cents: number) => proportionOf(sale.amountCents, Math.min(cents, baseCents), baseCents);
		const refunds = ofCurrency.filter(({ kind }) => kind === 'refund');
		const disputes = ofCurrency.filter((reversal) => reversal.kind === 'dispute' && !isUndone(reversal));
		const inAll = unexplainedOf(ofCurrency) + sumOf(refunds) + sumOf(disputes);
		ever += shareOf(inAll);
		netRefunded += shareOf(inAll - sumOf(refunds.filter(({ undoneAt }) => undoneAt !== null)));
	}
	const reportedBeyond = Math.max(0, sale.reportedRefundCents - ever);
	return Math.min(sale.amountCents, netRefunded + reportedBeyond);
}

/** A failed refund never counts again. A won dispute does if a later event reopens it (decision 52). */
export function isUndone({ kind, undoneAt, stoodAt }: Pick<ReportedReversal, 'kind' | 'undoneAt' | 'stoodAt'>): boolean {
	if (undoneAt === null) return false;
	return kind !== 'dispute' || stoodAt === null || undoneAt >= stoodAt;
}

export function isConvertible(
	sale: Omit<PaidSale, 'reportedRefundCents'>,
	reversals: readonly ReportedReversal[],
	currency: string,
): boolean {
	return baseIn(sale, reversals, currency) !== undefined;
}

export function chargedIn(
	sale: Pick<PaidSale, 'chargedCents' | 'chargedCurrency'>,
	reversals: readonly ReportedReversal[],
): string | undefined {
	if (sale.chargedCents !== null && sale.chargedCurrency !== null) return sale.chargedCurrency;
	return reversals.find(({ chargeCents }) => chargeCents !== null)?.currency;
}

/**
 * The amount that refunds in a currency are shares of: the sale's charge; without one, the sum of known charges; without any, the sale
 * itself. Undefined if none of them is in that currency.
 */
function baseIn(sale: Omit<PaidSale, 'reportedRefundCents'>, reversals: readonly ReportedReversal[], currency: string): number | undefined {
	if (sale.chargedCents !== null && (sale.chargedCurrency ?? currency) === currency) return sale.chargedCents;
	const charges = new Map<string | null, number>();
	for (const { chargeId, chargeCents, currency: itsCurrency } of reversals) {
		if (itsCurrency === currency && chargeCents !== null) charges.set(chargeId, Math.max(chargeCents, charges.get(chargeId) ?? 0));
	}
	const captured = [...charges.values()].reduce((sum, cents) => sum + cents, 0);
	if (captured > 0) return captured;
	return currency === sale.currency ? sale.amountCents : undefined;
}

/** Of two reports of a refund, the greater amount counts; of a dispute, the latest state. */
export function reportedWith(stored: readonly ReportedReversal[], news: readonly ReportedReversal[]): ReportedReversal[] {
	const byId = new Map<string, ReportedReversal>();
	for (const reversal of [...stored, ...news]) {
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

function leastOf<Value extends number | string>(values: readonly (Value | null)[]): Value | null {
	return values
		.filter((value) => value !== null)
		.reduce<Value | null>((least, value) => (least === null || value < least ? value : least), null);
}

function greatestOf(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : Math.max(...known);
}

/** How far the totals exceed the refunds reported by id. Each charge counts with its greatest excess. */
function unexplainedOf(reversals: readonly ReportedReversal[]): number {
	const refunds = reversals.filter(({ kind }) => kind === 'refund');
	const totals = reversals.filter(({ kind }) => kind === 'total');
	let sum = 0;
	for (const [charge, ofCharge] of Map.groupBy(totals, ({ reversalId }) => chargeOf(reversalId))) {
		const itsRefunds = refunds.filter(({ chargeId }) => chargeId === null || chargeId === charge);
		const excesses = ofCharge.map((total) => total.amountCents - sumOf(refundsIn(total, itsRefunds)));
		sum += Math.max(0, ...excesses);
	}
	return sum;
}

/** The delay between a refund and the charge's new total. */
const NEW_MS = 5_000;

/**
 * The refunds that a total includes: none made later, and none that had already failed. One that failed at the same instant is excluded if
 * the total would otherwise be too small or contain nothing new.
 */
function refundsIn({ amountCents, happenedAt: at }: ReportedReversal, refunds: readonly ReportedReversal[]): ReportedReversal[] {
	const possible = refunds.filter(({ happenedAt, undoneAt }) => happenedAt <= at && (undoneAt === null || undoneAt >= at));
	const restCents = amountCents - sumOf(possible);
	const isNews = restCents > 0 || possible.some(({ happenedAt }) => happenedAt > at - NEW_MS);
	return restCents >= 0 && isNews ? possible : possible.filter(({ undoneAt }) => undoneAt !== at);
}

function chargeOf(totalId: string): string {
	return totalId.split(':', 1).join();
}

function sumOf(reversals: readonly ReportedReversal[]): number {
	return reversals.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
