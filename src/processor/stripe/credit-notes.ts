import * as z from 'zod/mini';
import { type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { read, Ref, Seconds, Text, Whole, wordsOf } from '../reading/fields.ts';
import { inWords, moneyOf } from './amounts.ts';

// An amount that a note adds to the customer's balance lowers the sale when an invoice uses it (invoice.ts), so deducting it here would
// deduct twice. The refund's own events report what a note refunds; only the note reports what is paid back outside of Stripe.

const CreditNote = z.object({
	id: Ref,
	invoice: Ref,
	currency: Text,
	status: Text,
	reason: Text,
	created: Seconds,
	voided_at: Seconds,
	out_of_band_amount: Whole,
	customer_balance_transaction: Ref,
});

/** Identified by its id. */
export const readCreditNote: EventReader = (object, { happenedAt }) => {
	const note = read(CreditNote, object);
	if (note?.id === undefined) return nothing('credit note without an id');
	const { id, invoice, out_of_band_amount: amount = 0, status, voided_at: voidedAt } = note;
	if (amount === 0 && note.customer_balance_transaction !== undefined)
		return nothing("credit note to the customer's balance: it deducts its share when it pays an invoice, because only paid money counts");
	if (amount === 0) return nothing('credit note: its refund is reported separately');
	const money = moneyOf(amount, note.currency);
	if (!money) return nothing('credit note with an amount or currency that cannot be read');
	if (invoice === undefined) return nothing('credit note that names no invoice');
	const undoneAt = status === 'void' ? (voidedAt === undefined ? happenedAt : voidedAt * 1000) : undefined;
	return withFacts(`credit note over ${inWords(money)} outside of Stripe${undoneAt === undefined ? '' : ' that is void'}`, {
		kind: 'reversal',
		paymentIds: [invoice],
		invoiceId: invoice,
		currency: money.currency,
		reason: wordsOf(note.reason),
		reversal: {
			kind: 'refund',
			id,
			amountCents: money.cents,
			happenedAt: note.created === undefined ? happenedAt : note.created * 1000,
			undoneAt,
			// This is not a Stripe charge, so no refunded total includes it.
			chargeId: id,
			chargeCents: undefined,
		},
	});
};
