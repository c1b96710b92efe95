import * as z from 'zod/mini';
import type { ProcessorEvent } from '../../domain/processors/processor-event.ts';
import { readCheckout, readExpiredCheckout, readFailedCheckout } from './checkout.ts';
import { readDiscount, readPromotionCode } from './coupons.ts';
import { readCreditNote } from './credit-notes.ts';
import { readDispute } from './disputes.ts';
import type { AmountBasis, Envelope as EventEnvelope } from '../processor.ts';
import { type EventReader, nothing } from '../reading/event-reader.ts';
import { Flag, identifierIn, read, Seconds } from '../reading/fields.ts';
import { readPaidInvoice } from './invoice.ts';
import { readCharge, readInvoicePayment } from './payment-ids.ts';
import { readPaymentIntent } from './payment-intent.ts';
import { readRefund, readRefundedCharge } from './refunds.ts';
import { readChangedSubscription, readEndedSubscription, readNewSubscription } from './subscriptions.ts';

/** Integrators select these event types. */
const READERS: ReadonlyMap<string, EventReader> = new Map([
	['checkout.session.completed', readCheckout],
	['checkout.session.async_payment_succeeded', readCheckout],
	['checkout.session.async_payment_failed', readFailedCheckout],
	['checkout.session.expired', readExpiredCheckout],
	['invoice.paid', readPaidInvoice],
	['invoice.payment_succeeded', readPaidInvoice],
	['invoice_payment.paid', readInvoicePayment],
	['charge.refunded', readRefundedCharge],
	['refund.created', readRefund],
	['refund.updated', readRefund],
	['refund.failed', readRefund],
	['charge.refund.updated', readRefund],
	['credit_note.created', readCreditNote],
	['credit_note.updated', readCreditNote],
	['credit_note.voided', readCreditNote],
	['charge.dispute.created', readDispute],
	['charge.dispute.updated', readDispute],
	['charge.dispute.closed', readDispute],
	['charge.dispute.funds_withdrawn', readDispute],
	['charge.dispute.funds_reinstated', readDispute],
	['customer.subscription.created', readNewSubscription],
	['customer.subscription.updated', readChangedSubscription],
	['customer.subscription.deleted', readEndedSubscription],
	['payment_intent.succeeded', readPaymentIntent],
	['charge.succeeded', readCharge],
	['promotion_code.created', readPromotionCode],
	['promotion_code.updated', readPromotionCode],
	['customer.discount.created', readDiscount],
]);

export const STRIPE_EVENT_TYPES: readonly string[] = [...READERS.keys()];

const REVERSALS: readonly EventReader[] = [readRefund, readRefundedCharge, readCreditNote, readDispute];

export const STRIPE_REVERSAL_TYPES: readonly string[] = STRIPE_EVENT_TYPES.filter((type) =>
	REVERSALS.some((reader) => reader === READERS.get(type)),
);

const Identifier = z.pipe(z.optional(z.unknown()), z.transform(identifierIn));

export const Envelope = z.object({ id: Identifier, type: Identifier, livemode: Flag, created: Seconds });

/** Undefined if this is not an event. */
export function stripeEnvelope(event: unknown): EventEnvelope | undefined {
	const envelope = read(Envelope, event);
	if (envelope?.id === undefined || envelope.type === undefined || envelope.created === undefined) return undefined;
	return { eventId: envelope.id, type: envelope.type, isTest: envelope.livemode === false, happenedAt: envelope.created * 1000 };
}

const Payload = z.object({ data: z.object({ object: z.unknown() }) });

/** Pure, and never throws: an unreadable event has no facts and a summary that says so. */
export function readStripeEvent(event: unknown, amountBasis: AmountBasis): ProcessorEvent {
	const envelope = stripeEnvelope(event);
	const object = read(Payload, event)?.data.object;
	if (!envelope || object === undefined) return nothing('not an event of Stripe');
	const reader = READERS.get(envelope.type);
	if (!reader) return nothing(`${envelope.type} is not read`);
	return reader(object, { type: envelope.type, happenedAt: envelope.happenedAt, amountBasis });
}
