import type { CustomerStatus, Identity, KnownCustomer } from '../attribution/attribution.ts';
import { deltasOfState, type SumChange } from '../commissions/commission-sums.ts';
import type { CommissionStatus } from '../refunds/reversal.ts';

// How changes affect the figures in reports (decisions 24, 25 and 36). Deltas are written together with the change, and added to the daily
// rows later.

/** Counts, and amounts in minor units. */
export const DELTA_FIGURES = [
	'leads',
	'openLeads',
	'conversions',
	'partners',
	'sales',
	'revenueCents',
	'refundedCents',
	'commissionCents',
	'deductedCents',
] as const;

export type DeltaFigures = { readonly [Figure in (typeof DELTA_FIGURES)[number]]?: number | undefined };

/** Clicks are not deltas: they are counted where they are stored. */
export interface MetricDelta extends DeltaFigures {
	/** In the program's time zone. */
	readonly day: string;
	/** Undefined for counts, which use the program's currency. */
	readonly currency?: string | null | undefined;
	/** Set if the day's totals already include it, so that only the breakdown changes. */
	readonly onlyValues?: true | undefined;
	/** The partner's commission sums, for the day on which the commission was created. */
	readonly sums?: SumChange | undefined;
	readonly partnerProgramId?: number | undefined;
}

export interface DatedCustomer extends KnownCustomer {
	readonly signupDate: string | null;
}

interface CustomerFacts {
	readonly status: CustomerStatus;
	/** Set if this event is the sign-up. `purchaseDay` is set if it is the first purchase. */
	readonly signupDay: string | undefined;
	readonly purchaseDay: string | undefined;
}

export function deltasOfCustomer(identity: Identity<DatedCustomer>, { status, signupDay, purchaseDay }: CustomerFacts): MetricDelta[] {
	const moves: MetricDelta[] = [];
	if (signupDay !== undefined) moves.push({ day: signupDay, leads: 1, openLeads: status === 'lead' ? 1 : 0 });
	if (identity.kind === 'known' && identity.customer.signupDate !== null) {
		const { customer, newClick } = identity;
		const day = identity.customer.signupDate;
		if (newClick) moves.push({ day, leads: 1, onlyValues: true });
		if (customer.status === 'lead' && status === 'conversion') moves.push({ day, openLeads: -1 });
	}
	if (purchaseDay !== undefined) moves.push({ day: purchaseDay, conversions: 1 });
	return moves;
}

interface SoldSale {
	readonly saleDay: string;
	readonly currency: string;
	readonly amountCents: number;
}

export function deltasOfSale({ saleDay, currency, amountCents }: SoldSale, commissionCents: number | undefined): MetricDelta[] {
	const earned = commissionCents === undefined ? {} : { commissionCents };
	return [{ day: saleDay, currency, sales: 1, revenueCents: amountCents, ...earned }];
}

export interface CountedSale extends SoldSale {
	readonly refundedCents: number;
}

export interface CountedCommission {
	readonly createdDay: string;
	readonly status: CommissionStatus;
	readonly amountCents: number;
	readonly deductedCents: number;
}

/** The refunded amount changes the day of the sale, the deduction the day of the commission. */
export function deltasOfRefund(
	{ saleDay, currency, refundedCents }: CountedSale,
	commission: Pick<CountedCommission, 'createdDay'> | undefined,
	after: { readonly refundedCents: number; readonly deductionCents: number },
): MetricDelta[] {
	const moves: MetricDelta[] = [{ day: saleDay, currency, refundedCents: after.refundedCents - refundedCents }];
	if (commission) moves.push({ day: commission.createdDay, currency, deductedCents: after.deductionCents });
	return moves;
}

/** Removes a duplicate sale and its commission from all figures (decision 36). */
export function deltasOfDuplicate(
	{ saleDay, currency, amountCents, refundedCents }: CountedSale,
	commission: CountedCommission | undefined,
): MetricDelta[] {
	const moves: MetricDelta[] = [{ day: saleDay, currency, sales: -1, revenueCents: -amountCents, refundedCents: -refundedCents }];
	if (commission) {
		const deductedCents = -takenOf(commission);
		moves.push({ day: commission.createdDay, currency, commissionCents: -commission.amountCents, deductedCents });
	}
	return moves;
}

/** A commission created after its sale, less refunds since then. */
export function deltasOfLateCommission(day: string, currency: string, amountCents: number, deductedCents: number): MetricDelta[] {
	return [{ day, currency, commissionCents: amountCents, deductedCents }];
}

/** A rejected commission counts as fully deducted. */
export function deltasOfRejection(currency: string, commission: CountedCommission & { readonly partnerProgramId: number }): MetricDelta[] {
	const { createdDay: day, partnerProgramId } = commission;
	return [
		{ day, currency, deductedCents: commission.amountCents - takenOf(commission) },
		...deltasOfState({ partnerProgramId, day, currency }, commission, { ...commission, status: 'rejected' }),
	];
}

function takenOf({ status, amountCents, deductedCents }: CountedCommission): number {
	return status === 'rejected' ? amountCents : deductedCents;
}
