import { decimalText, exponentOf, toMajorUnits } from '../money.ts';
import type { PayoutDetails, PayoutMethod } from './payout-details.ts';

// Payment files for PayPal, Wise or a bank. Each file has one method and one currency.

/** The most payments in one file. PayPal's Payouts Web accepts 5,000, a Wise batch 1,000. */
export const BATCH_ROWS = { paypal: 5_000, wise: 1_000, bank: 5_000 } as const satisfies Record<PayoutMethod, number>;

export type BatchLeftOut = 'no_payout_details' | 'other_method' | 'other_currency' | 'unreadable' | 'not_whole' | 'file_full';

export interface BatchPayout {
	readonly id: number;
	readonly currency: string;
	readonly amountCents: number;
	/** Null if the partner has not selected a method. */
	readonly method: PayoutMethod | null;
}

/** Decides without decrypting any payout details. */
export function whyNotInBatch({ method, currency, amountCents }: BatchPayout, batchMethod: PayoutMethod): BatchLeftOut | undefined {
	if (method === null) return 'no_payout_details';
	if (method !== batchMethod) return 'other_method';
	return batchMethod === 'paypal' && isWithoutDecimals(currency) && !Number.isInteger(toMajorUnits(amountCents, currency))
		? 'not_whole'
		: undefined;
}

/** An account without a currency accepts every payout. */
export function takesCurrency(details: Pick<PayoutDetails, 'currency'>, { currency }: Pick<BatchPayout, 'currency'>): boolean {
	return details.currency === null || details.currency === currency;
}

/** The payment's reference. PayPal requires a short one without spaces. */
export function referenceOf({ id }: Pick<BatchPayout, 'id'>): string {
	return `payout-${id}`;
}

export function batchAmountOf({ amountCents, currency }: Pick<BatchPayout, 'amountCents' | 'currency'>, method: PayoutMethod): string {
	return method === 'paypal' && isWithoutDecimals(currency)
		? toMajorUnits(amountCents, currency).toFixed(0)
		: decimalText(amountCents, currency);
}

/** PayPal accepts only whole forints and new Taiwan dollars, although ISO 4217 gives both two decimals. */
function isWithoutDecimals(currency: string): boolean {
	return currency === 'HUF' || currency === 'TWD' || exponentOf(currency) === 0;
}

export function batchReasonOf(reason: BatchLeftOut, { method, currency }: BatchPayout, batchMethod: PayoutMethod): string {
	switch (reason) {
		case 'no_payout_details':
			return 'The partner has not entered payout details';
		case 'other_method':
			return `The partner is paid by ${method}`;
		case 'other_currency':
			return `The partner's account does not accept ${currency}`;
		case 'unreadable':
			return 'None of the secrets of this service can decrypt the payout details. The partner must enter them again';
		case 'not_whole':
			return `PayPal accepts only whole amounts in ${currency}`;
		case 'file_full':
			return `A file has at most ${BATCH_ROWS[batchMethod]} payments. This one will be in the next file, once these are marked as sent`;
	}
}
