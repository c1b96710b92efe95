import * as z from 'zod/mini';
import type { PaymentFact } from '../../domain/processor-event.ts';
import { inWords, saleAmounts } from './amounts.ts';
import { attributionOf, bindingOf, ClientReference, Metadata } from './attribution.ts';
import { type EventContext, type EventReader, nothing, told } from './event-reader.ts';
import { present, read, Ref, loose, Text, Whole } from './fields.ts';
import { ChargedIntent } from './payment-ids.ts';

const Session = z.object({
	id: Ref,
	mode: Text,
	payment_status: Text,
	amount_total: Whole,
	total_details: loose(z.object({ amount_tax: Whole })),
	currency: Text,
	payment_intent: ChargedIntent,
	invoice: Ref,
	metadata: Metadata,
	client_reference_id: ClientReference,
});

type Session = z.infer<typeof Session>;

/** A checkout that ended: the sale of a single payment; of a subscription only who it is, as its invoices make the sales. */
export const readCheckout: EventReader = (object, event) => {
	const session = read(Session, object);
	if (session?.id === undefined) return nothing('checkout session without an id');
	// What a checkout says counts for what it paid: renewals ask the subscription (contract, section 6).
	const attribution = attributionOf([session.metadata, session.client_reference_id], [session.invoice]);
	const bindings = bindingOf(attribution);
	if (session.mode === 'subscription') {
		const paymentIds = present([session.id, session.invoice]);
		const ids = paymentIds.length > 1 ? [{ kind: 'payment_ids' as const, paymentIds, invoiceId: session.invoice }] : [];
		return told('checkout of a subscription: its invoices make the sales', ...bindings, ...ids);
	}
	if (session.mode !== 'payment') return told('checkout without a payment', ...bindings);
	if (session.payment_status === 'unpaid') return told('checkout waits for the payment', ...bindings);
	if (session.payment_status !== 'paid' || (session.amount_total ?? 0) === 0) return told('checkout of 0: nothing was paid', ...bindings);
	const payment = paymentOf(session, session.id, attribution, event);
	if (!payment) return told('checkout with an amount or currency that cannot be read', ...bindings);
	if (payment.sale.amountCents === 0) return told('checkout of nothing but tax', ...bindings);
	const amount = inWords({ cents: payment.sale.amountCents, currency: payment.sale.currency });
	return told(`checkout paid: ${amount}`, ...bindings, payment);
};

/** The payment may still follow by another checkout. */
export const readFailedCheckout: EventReader = () => nothing('checkout whose payment failed');
export const readExpiredCheckout: EventReader = () => nothing('checkout that expired unpaid');

function paymentOf(
	session: Session,
	sessionId: string,
	attribution: PaymentFact['attribution'],
	event: EventContext,
): PaymentFact | undefined {
	const total = session.amount_total ?? 0;
	// amount_total has every tax in it, those within the prices and those on top; amount_tax is the sum of both.
	const bill = { paid: total, total, tax: session.total_details?.amount_tax ?? 0 };
	const amounts = saleAmounts(bill, session.currency, event.amountBasis);
	if (!amounts) return undefined;
	const { intent, charge } = session.payment_intent;
	return {
		kind: 'payment',
		attribution,
		sale: {
			transactionId: intent ?? sessionId,
			amountCents: amounts.sale.cents,
			currency: amounts.sale.currency,
			saleType: 'payment',
			isRecurring: false,
			subscriptionId: undefined,
			subscriptionInterval: undefined,
			productId: undefined,
			lineItems: undefined,
		},
		paymentIds: present([intent, sessionId, session.invoice, charge]),
		invoiceId: session.invoice,
		chargedCents: amounts.chargedCents,
		paidAt: event.happenedAt,
	};
}
