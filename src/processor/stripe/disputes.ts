import * as z from 'zod/mini';
import { inWords, moneyOf } from './amounts.ts';
import { type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { present, read, Ref, Seconds, Text, Whole, wordsOf } from '../reading/fields.ts';

const Dispute = z.object({
	id: Ref,
	amount: Whole,
	currency: Text,
	status: Text,
	created: Seconds,
	charge: Ref,
	payment_intent: Ref,
	reason: Text,
});

/** Counts from its beginning until it is won. */
export const readDispute: EventReader = (object, event) => {
	const dispute = read(Dispute, object);
	if (dispute?.id === undefined) return nothing('dispute without an id');
	const status = dispute.status ?? '';
	if (status.startsWith('warning_')) return nothing('inquiry: no money was taken');
	if (status === 'prevented') return nothing('dispute that was prevented: no money was taken');
	const money = moneyOf(dispute.amount, dispute.currency);
	if (!money) return nothing('dispute with an amount or currency that cannot be read');
	const paymentIds = present([dispute.charge, dispute.payment_intent]);
	if (paymentIds.length === 0) return nothing('dispute that names no payment');
	// If the dispute was lost, Stripe only reinstates the money of earlier refunds.
	const isUndone = status === 'won' || (event.type === 'charge.dispute.funds_reinstated' && status !== 'lost');
	return withFacts(`dispute over ${inWords(money)}${isUndone ? ' that was won' : ''}`, {
		kind: 'reversal',
		paymentIds,
		invoiceId: undefined,
		currency: money.currency,
		reason: wordsOf(dispute.reason),
		reversal: {
			kind: 'dispute',
			id: dispute.id,
			amountCents: money.cents,
			happenedAt: dispute.created === undefined ? event.happenedAt : dispute.created * 1000,
			undoneAt: isUndone ? event.happenedAt : undefined,
			stoodAt: isUndone ? undefined : event.happenedAt,
			chargeId: dispute.charge,
			chargeCents: undefined,
		},
	});
};
