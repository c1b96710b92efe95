import { decimalText, exponentOf, toMajorUnits } from '../money.ts';
import type { PayoutDetails, PayoutMethod } from './payout-details.ts';

// Files in which payouts are handed to PayPal, to Wise or to a bank: one method and one currency each.

/** The most payments that a file may have: PayPal's Payouts Web takes 5,000, a batch of Wise 1,000. */
export const BATCH_ROWS = { paypal: 5_000, wise: 1_000, bank: 5_000 } as const satisfies Record<PayoutMethod, number>;

/** Why a payout is in no such file. */
export type BatchLeftOut = 'no_payout_details' | 'other_method' | 'other_currency' | 'unreadable' | 'not_whole' | 'file_full';

export interface BatchPayout {
	readonly id: number;
	readonly currency: string;
	readonly amountCents: number;
	/** How its partner is paid; null: they have not said. */
	readonly method: PayoutMethod | null;
}

/** Without looking at the details. */
export function whyNotInBatch({ method, currency, amountCents }: BatchPayout, asked: PayoutMethod): BatchLeftOut | undefined {
	if (method === null) return 'no_payout_details';
	if (method !== asked) return 'other_method';
	return asked === 'paypal' && isWithoutDecimals(currency) && !Number.isInteger(toMajorUnits(amountCents, currency))
		? 'not_whole'
		: undefined;
}

/** Whether the account takes the payout. Without a currency of its own it takes any. */
export function takesCurrency(details: Pick<PayoutDetails, 'currency'>, { currency }: Pick<BatchPayout, 'currency'>): boolean {
	return details.currency === null || details.currency === currency;
}

/** What the payment is found by, at the receiver's too: short, and without blanks, as PayPal asks. */
export function referenceOf({ id }: Pick<BatchPayout, 'id'>): string {
	return `payout-${id}`;
}

/** In major units. */
export function batchAmountOf({ amountCents, currency }: Pick<BatchPayout, 'amountCents' | 'currency'>, method: PayoutMethod): string {
	return method === 'paypal' && isWithoutDecimals(currency)
		? toMajorUnits(amountCents, currency).toFixed(0)
		: decimalText(amountCents, currency);
}

/** PayPal takes whole forints and new Taiwan dollars only, which ISO 4217 gives two decimals. */
function isWithoutDecimals(currency: string): boolean {
	return currency === 'HUF' || currency === 'TWD' || exponentOf(currency) === 0;
}

/** Why a payout is left out, in plain words. */
export function batchReasonOf(reason: BatchLeftOut, { method, currency }: BatchPayout, asked: PayoutMethod): string {
	switch (reason) {
		case 'no_payout_details':
			return 'The partner has not said where they are paid';
		case 'other_method':
			return `The partner is paid by ${method}`;
		case 'other_currency':
			return `The partner's account does not take ${currency}`;
		case 'unreadable':
			return 'No secret of the service opens the payout details: the partner has to enter them again';
		case 'not_whole':
			return `PayPal takes whole ${currency} only`;
		case 'file_full':
			return `A file has at most ${BATCH_ROWS[asked]} payments: it comes with the next one, once these are marked as sent`;
	}
}
