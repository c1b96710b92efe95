import * as z from 'zod/mini';
import { exponentOf, isCurrency, MAX_AMOUNT_CENTS, proportionOf, toMajorUnits } from '../../domain/money.ts';
import type { PaymentFact } from '../../domain/processors/processor-event.ts';
import type { AmountBasis } from '../processor.ts';
import { loose, Whole } from '../reading/fields.ts';

// Stripe's minor units are not always those of ISO 4217: see https://docs.stripe.com/currencies

/** Omits UGX, which Stripe lists with 0 decimals: like ISK, it is still sent with two (the page's special cases). */
const STRIPE_DECIMALS: ReadonlyMap<string, number> = new Map([
	...decimals(0, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'),
	...decimals(3, 'BHD JOD KWD OMR TND'),
]);

export interface Money {
	readonly currency: string;
	readonly cents: number;
}

/** Rounded half up. Undefined for an unknown currency or outside 0 to 99,999,999,999 minor units. */
export function moneyOf(amount: number | undefined, stripeCurrency: string | undefined): Money | undefined {
	const currency = stripeCurrency?.toUpperCase();
	if (amount === undefined || currency === undefined || !isCurrency(currency)) return undefined;
	if (!(amount >= 0 && amount <= MAX_AMOUNT_CENTS * 100)) return undefined;
	const shift = exponentOf(currency) - (STRIPE_DECIMALS.get(currency) ?? 2);
	const cents = shift >= 0 ? amount * 10 ** shift : proportionOf(amount, 1, 10 ** -shift);
	return cents <= MAX_AMOUNT_CENTS ? { currency, cents } : undefined;
}

/** "19.99 USD". */
export function inWords({ cents, currency }: Money): string {
	return `${toMajorUnits(cents, currency)} ${currency}`;
}

/** In Stripe's units. `paid` and `total` include tax and shipping. */
export interface Bill {
	readonly paid: number;
	readonly total: number;
	/** Including tax on shipping. */
	readonly tax: number;
	/** Without its tax. */
	readonly shipping?: number;
}

export const ShippingCost = loose(z.object({ amount_total: Whole, amount_tax: Whole }));

/** Whether its tax is inclusive or exclusive. */
export function untaxedShipping(cost: z.infer<typeof ShippingCost>): number | undefined {
	return cost?.amount_total === undefined ? undefined : Math.max(cost.amount_total - (cost.amount_tax ?? 0), 0);
}

export interface SaleAmounts {
	readonly sale: Money;
	readonly chargedCents: number;
}

/** On the program's basis (decision 42). If part of a bill was paid, the same part of its tax and shipping counts. */
export function saleAmounts(bill: Bill, currency: string | undefined, basis: AmountBasis): SaleAmounts | undefined {
	const charged = moneyOf(bill.paid, currency);
	const sale = basis === 'gross' ? charged : moneyOf(goodsOf(bill), currency);
	return charged && sale ? { sale, chargedCents: charged.cents } : undefined;
}

export function singleSale(transactionId: string, { cents, currency }: Money): PaymentFact['sale'] {
	return {
		transactionId,
		amountCents: cents,
		currency,
		saleType: 'payment',
		isRecurring: false,
		subscriptionId: undefined,
		subscriptionInterval: undefined,
		productId: undefined,
		lineItems: undefined,
	};
}

function goodsOf({ paid, total, tax, shipping = 0 }: Bill): number {
	const aside = Math.max(tax, 0) + Math.max(shipping, 0);
	if (total <= 0 || aside === 0) return paid;
	return proportionOf(paid, Math.max(total - aside, 0), total);
}

function decimals(count: number, currencies: string): [string, number][] {
	return currencies.split(' ').map((currency) => [currency, count]);
}
