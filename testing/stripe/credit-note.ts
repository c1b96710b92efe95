import type Stripe from 'stripe';
import { listOf, type Setting, type Wire } from './wire.ts';

/** Created after the payment. Amounts are in Stripe's minor units, tax included. */
export interface CreditNoteData {
	readonly id: string;
	readonly invoice: string;
	readonly toBalance: number;
	readonly outOfBand: number;
	/** It pays the note. */
	readonly refund: { readonly id: string; readonly amount: number } | undefined;
	readonly createdAt: number;
}

export function creditNoteObject(setting: Setting, note: CreditNoteData, isVoid: boolean): Wire<Stripe.CreditNote> {
	const amount = note.toBalance + note.outOfBand + (note.refund?.amount ?? 0);
	return {
		id: note.id,
		object: 'credit_note',
		amount,
		amount_shipping: 0,
		created: note.createdAt,
		currency: setting.currency,
		customer: setting.customer,
		customer_account: null,
		customer_balance_transaction: note.toBalance > 0 ? `cbtxn_${note.id.slice(3)}` : null,
		discount_amount: 0,
		discount_amounts: [],
		effective_at: note.createdAt,
		invoice: note.invoice,
		lines: listOf(`/v1/credit_notes/${note.id}/lines`, []),
		livemode: setting.livemode,
		memo: null,
		metadata: {},
		number: 'C9F1A2B3-0001-CN-01',
		out_of_band_amount: note.outOfBand > 0 ? note.outOfBand : null,
		pdf: `https://pay.stripe.com/credit_notes/acct_1Example/live_${note.id}/pdf?s=ap`,
		post_payment_amount: amount,
		pre_payment_amount: 0,
		pretax_credit_amounts: [],
		reason: 'order_change',
		refunds: note.refund
			? [{ amount_refunded: note.refund.amount, payment_record_refund: null, refund: note.refund.id, type: 'refund' }]
			: [],
		shipping_cost: null,
		status: isVoid ? 'void' : 'issued',
		subtotal: amount,
		subtotal_excluding_tax: amount,
		total: amount,
		total_excluding_tax: amount,
		total_taxes: [],
		type: 'post_payment',
		voided_at: isVoid ? note.createdAt + 60 : null,
	};
}
