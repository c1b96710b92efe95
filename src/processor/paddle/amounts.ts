import * as z from 'zod/mini';
import { isCurrency, MAX_AMOUNT_CENTS, moneyText, proportionOf } from '../../domain/money.ts';
import type { AmountBasis } from '../processor.ts';
import { loose, Text } from '../reading/fields.ts';
import { Amount } from './fields.ts';

export const Totals = z.object({
	/** After the discount, with tax. */
	total: Amount,
	tax: Amount,
	/** Paid from the customer's credit balance, or credited before payment. */
	credit: Amount,
	/** What remains to be paid. */
	grand_total: Amount,
	/** Since 2026. */
	grand_total_tax: Amount,
	currency_code: Text,
});

export type Totals = z.infer<typeof Totals>;

export const LooseTotals = loose(Totals);

export interface Money {
	readonly currency: string;
	readonly cents: number;
}

/** Paddle's minor units follow ISO 4217. Undefined for an unknown currency or outside 0 to 99,999,999,999. */
export function moneyOf(amount: number | undefined, currency: string | undefined): Money | undefined {
	if (amount === undefined || currency === undefined || !isCurrency(currency)) return undefined;
	return amount >= 0 && amount <= MAX_AMOUNT_CENTS ? { currency, cents: amount } : undefined;
}

/** "19.99 USD". */
export function inWords({ cents, currency }: Money): string {
	return moneyText(cents, currency);
}

export interface Paid {
	readonly sale: Money;
	readonly cashCents: number;
	/** Excludes tax on either basis, because Paddle may later refund only the tax, and that must reduce no sale. */
	readonly goodsCents: number;
}

/** An amount paid from credit is not a sale, so granting the credit reverses nothing (see adjustments.ts). */
export function paidOf(totals: Totals | undefined, currency: string | undefined, basis: AmountBasis): Paid | undefined {
	const cash = moneyOf(totals && cashOf(totals), currency);
	if (!totals || !cash) return undefined;
	const goods = { ...cash, cents: Math.max(cash.cents - taxOf(totals, cash.cents), 0) };
	return { sale: basis === 'gross' ? cash : goods, cashCents: cash.cents, goodsCents: goods.cents };
}

export function untaxed(totals: Pick<Totals, 'tax' | 'total'> | undefined): number | undefined {
	return totals?.total === undefined ? undefined : totals.total - (totals.tax ?? 0);
}

function cashOf({ grand_total: due, total, credit = 0 }: Totals): number | undefined {
	return due ?? (total === undefined ? undefined : total - credit);
}

/** The tax on the amount paid. Before 2026, `grand_total_tax` holds the total tax even if credit paid part of the transaction. */
function taxOf({ grand_total_tax: reportedTax, tax: taxOfAll = 0, total = 0 }: Totals, cashCents: number): number {
	const tax = Math.max(taxOfAll, 0);
	const isPart = cashCents < total;
	if (reportedTax !== undefined && !(isPart && reportedTax === tax)) return Math.max(reportedTax, 0);
	return isPart ? proportionOf(tax, cashCents, total) : tax;
}
