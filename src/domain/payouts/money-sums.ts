import { dayOf, monthOf, startOfDay } from '../calendar.ts';
import type { CommissionStatus } from '../refunds/reversal.ts';
import { remainderOf } from './payout.ts';

/** Commissions in one state and currency. */
export interface StateSum {
	readonly status: CommissionStatus;
	readonly currency: string;
	readonly amountCents: number;
	readonly deductedCents: number;
}

/** Payouts in one currency. */
export interface PayoutSum {
	readonly currency: string;
	readonly payouts: number;
	readonly amountCents: number;
}

/** Where a program's money is, in one currency. */
export interface MoneySum {
	readonly currency: string;
	/** Approved commissions that no payout has paid yet, before debts and minimums. */
	readonly dueCents: number;
	readonly onHoldCents: number;
	readonly onItsWayCents: number;
	readonly onItsWayPayouts: number;
	readonly paidThisMonthCents: number;
	readonly paidThisMonthPayouts: number;
}

export interface Money {
	/** The program's. */
	readonly currency: string;
	readonly commissions: readonly StateSum[];
	readonly onItsWay: readonly PayoutSum[];
	readonly paidThisMonth: readonly PayoutSum[];
}

/** The program's currency comes first, even if all its sums are 0, and then the others that have a sum. */
export function moneySums({ currency: own, commissions, onItsWay, paidThisMonth }: Money): MoneySum[] {
	const restOf = (currency: string, status: CommissionStatus) =>
		commissions.reduce((cents, sum) => (sum.currency === currency && sum.status === status ? cents + remainderOf(sum) : cents), 0);
	const sumIn = (currency: string): MoneySum => {
		const [unsent, sent] = [payoutSumIn(onItsWay, currency), payoutSumIn(paidThisMonth, currency)];
		return {
			currency,
			dueCents: restOf(currency, 'approved'),
			onHoldCents: restOf(currency, 'pending'),
			onItsWayCents: unsent.amountCents,
			onItsWayPayouts: unsent.payouts,
			paidThisMonthCents: sent.amountCents,
			paidThisMonthPayouts: sent.payouts,
		};
	};
	const others = new Set([...commissions, ...onItsWay, ...paidThisMonth].map(({ currency }) => currency));
	others.delete(own);
	return [sumIn(own), ...[...others].toSorted().map(sumIn).filter(isAnything)];
}

function payoutSumIn(sums: readonly PayoutSum[], currency: string): Omit<PayoutSum, 'currency'> {
	return sums.find((sum) => sum.currency === currency) ?? { payouts: 0, amountCents: 0 };
}

function isAnything({ currency: _currency, ...figures }: MoneySum): boolean {
	return Object.values(figures).some((figure) => figure !== 0);
}

/** The calendar month of an instant. */
export interface Month {
	/** YYYY-MM. */
	readonly name: string;
	/** Its first instant, in ms. */
	readonly start: number;
}

export function monthAt(instant: number, timeZone: string): Month {
	const name = monthOf(dayOf(instant, timeZone));
	return { name, start: startOfDay(`${name}-01`, timeZone) };
}
