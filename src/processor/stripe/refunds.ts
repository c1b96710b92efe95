import * as z from 'zod/mini';
import type { PaymentIds, ReversalFact } from '../../domain/processors/processor-event.ts';
import { inWords, moneyOf } from './amounts.ts';
import { type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { Flag, List, present, read, Ref, Seconds, Text, Whole, wordsOf } from '../reading/fields.ts';

const Refund = z.object({
	id: Ref,
	amount: Whole,
	currency: Text,
	status: Text,
	created: Seconds,
	charge: Ref,
	payment_intent: Ref,
	reason: Text,
	failure_reason: Text,
});

type Refund = z.infer<typeof Refund>;

const Charge = z.object({
	id: Ref,
	amount: Whole,
	/** Since 2020. */
	amount_captured: Whole,
	amount_refunded: Whole,
	captured: Flag,
	currency: Text,
	payment_intent: Ref,
	/** Before 2025-03. */
	invoice: Ref,
	/** Before 2022-11. */
	refunds: List(Refund),
});

type Charge = z.infer<typeof Charge>;

/** Counts from its creation, even while pending, until it fails or is canceled. */
export const readRefund: EventReader = (object, { happenedAt }) => {
	const refund = read(Refund, object);
	if (refund?.id === undefined) return nothing('refund without an id');
	if (refund.reason === 'expired_uncaptured_charge') return nothing('refund of a charge that was never captured');
	const ids = { paymentIds: present([refund.charge, refund.payment_intent]), invoiceId: undefined };
	const fact = reversalOf(refund, refund.id, { ...ids, chargeCents: undefined, eventAt: happenedAt });
	if (fact === undefined) return nothing('refund with an amount or currency that cannot be read');
	if (fact.paymentIds.length === 0) return nothing('refund that names no payment');
	const amount = inWords({ cents: fact.reversal.amountCents, currency: fact.currency });
	return withFacts(fact.reversal.undoneAt === undefined ? `refund of ${amount}` : `refund of ${amount} that ${refund.status}`, fact);
};

export const readRefundedCharge: EventReader = (object, event) => {
	const charge = read(Charge, object);
	if (charge?.id === undefined) return nothing('charge without an id');
	if (charge.captured === false) return nothing('charge that was never captured');
	const captured = charge.amount_captured ?? charge.amount;
	const charged = moneyOf(captured, charge.currency);
	const refunded = moneyOf(refundedOf(charge, captured), charge.currency);
	if (!charged || !refunded) return nothing('charge with an amount or currency that cannot be read');
	if (refunded.cents === 0) return nothing('charge without a refund');
	const ids = { paymentIds: present([charge.id, charge.payment_intent, charge.invoice]), invoiceId: charge.invoice };
	const total: ReversalFact = {
		kind: 'reversal',
		...ids,
		currency: refunded.currency,
		reason: undefined,
		reversal: {
			kind: 'total',
			id: `${charge.id}:${event.happenedAt / 1000}:${refunded.cents}`,
			amountCents: refunded.cents,
			happenedAt: event.happenedAt,
			undoneAt: undefined,
			chargeId: charge.id,
			chargeCents: charged.cents,
		},
	};
	const refunds = (charge.refunds?.data ?? []).flatMap((refund) => {
		if (refund?.id === undefined) return [];
		const of = { ...ids, chargeCents: charged.cents, eventAt: event.happenedAt };
		const fact = reversalOf({ ...refund, charge: charge.id }, refund.id, of);
		return fact ? [fact] : [];
	});
	return withFacts(`${inWords(refunded)} refunded in all of a charge of ${inWords(charged)}`, ...refunds, total);
};

/** Stripe also counts an amount that was authorized but not captured as refunded. */
function refundedOf(charge: Charge, captured: number | undefined): number | undefined {
	const released = Math.max((charge.amount ?? 0) - (captured ?? 0), 0);
	return charge.amount_refunded === undefined ? undefined : Math.max(charge.amount_refunded - released, 0);
}

function reversalOf(
	refund: Refund,
	id: string,
	{ chargeCents, eventAt, ...ids }: PaymentIds & { readonly chargeCents: number | undefined; readonly eventAt: number },
): ReversalFact | undefined {
	const money = moneyOf(refund.amount, refund.currency);
	if (!money) return undefined;
	const isUndone = refund.status === 'failed' || refund.status === 'canceled';
	return {
		kind: 'reversal',
		...ids,
		currency: money.currency,
		reason: wordsOf(refund.failure_reason ?? refund.reason),
		reversal: {
			kind: 'refund',
			id,
			amountCents: money.cents,
			happenedAt: refund.created === undefined ? eventAt : refund.created * 1000,
			undoneAt: isUndone ? eventAt : undefined,
			chargeId: refund.charge,
			chargeCents,
		},
	};
}
