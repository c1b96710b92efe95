import * as z from 'zod/mini';
import type { ReferenceFact, PaymentFact } from '../../domain/processors/processor-event.ts';
import { inWords, type SaleAmounts, saleAmounts, ShippingCost, singleSale, untaxedShipping } from './amounts.ts';
import { attributionOf, referenceFactOf, type Claims, isOfNobody, Metadata, saysWho } from '../reading/attribution.ts';
import { couponFacts, Discounts } from './coupons.ts';
import { type EventContext, type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { present, read, Ref, loose, Text, Whole } from '../reading/fields.ts';
import { ClientReference } from './client-reference.ts';
import { ChargedIntent } from './payment-ids.ts';

const Session = z.object({
	id: Ref,
	mode: Text,
	payment_status: Text,
	amount_total: Whole,
	total_details: loose(z.object({ amount_tax: Whole, amount_shipping: Whole })),
	shipping_cost: ShippingCost,
	currency: Text,
	payment_intent: ChargedIntent,
	invoice: Ref,
	subscription: Ref,
	discounts: Discounts,
	metadata: Metadata,
	client_reference_id: ClientReference,
});

type Session = z.infer<typeof Session>;

/** A completed checkout is the sale of a single payment. For a subscription it only names the payer, because the invoices are the sales. */
export const readCheckout: EventReader = (object, event) => {
	const session = read(Session, object);
	if (session?.id === undefined) return nothing('checkout session without an id');
	// A checkout's metadata counts only for what it paid; renewals use the subscription's (contract, section 6).
	const binding = referenceFactOf(attributionOf(claimsOf(session), [session.invoice]));
	// The invoice names the discount only by the discount's own id.
	const bindings = [...binding, ...(session.discounts ? couponFacts([session.invoice, session.subscription], session.discounts) : [])];
	if (session.mode === 'subscription') {
		const summary = 'checkout of a subscription: its invoices make the sales';
		const [paymentIds, isOrganic] = [present([session.id, session.invoice]), binding.length === 0 ? (true as const) : undefined];
		// A trial has no paid invoice to which these ids could lead.
		const isUnpaid = session.payment_status === 'no_payment_required' || session.amount_total === 0;
		if (paymentIds.length < 2 || (isUnpaid && !isOrganic)) return withFacts(summary, ...bindings);
		return withFacts(summary, ...bindings, { kind: 'payment_ids', paymentIds, invoiceId: session.invoice, isOrganic });
	}
	if (session.mode !== 'payment') return withFacts('checkout without a payment', ...bindings);
	if (session.payment_status === 'unpaid') return withFacts('checkout waits for the payment', ...referencesOfUnpaid(session, event));
	if (session.payment_status !== 'paid' || (session.amount_total ?? 0) === 0)
		return withFacts('checkout of 0: nothing was paid', ...bindings);
	const payment = paymentOf(session, session.id, event);
	if (!payment) return withFacts('checkout with an amount or currency that cannot be read', ...bindings);
	if (payment.sale.amountCents === 0) return withFacts('checkout of nothing but tax', ...bindings);
	const amount = inWords({ cents: payment.sale.amountCents, currency: payment.sale.currency });
	return withFacts(`checkout paid: ${amount}`, ...bindings, payment);
};

/** A failure records nothing, because another checkout may still pay. */
export const readFailedCheckout: EventReader = () => nothing('checkout whose payment failed');
export const readExpiredCheckout: EventReader = () => nothing('checkout that expired unpaid');

/** If the payment is captured later, only its intent reports the capture, while only the session has the payer and the amounts. */
function referencesOfUnpaid(session: Session, event: EventContext): ReferenceFact[] {
	const { intent } = session.payment_intent;
	const amounts = intent === undefined ? undefined : amountsOf(session, event);
	const bill = amounts && { chargedCents: amounts.chargedCents, saleCents: amounts.sale.cents };
	return referenceFactOf(attributionOf(claimsOf(session), [session.invoice, intent]), undefined, bill);
}

function claimsOf(session: Session): Claims[] {
	return [session.metadata, session.client_reference_id];
}

function amountsOf(session: Session, event: EventContext): SaleAmounts | undefined {
	const total = session.amount_total ?? 0;
	// amount_total includes all taxes, inclusive and exclusive; amount_tax is the sum of both.
	const { amount_tax: tax = 0, amount_shipping: shipping = 0 } = session.total_details ?? {};
	const bill = { paid: total, total, tax, shipping: untaxedShipping(session.shipping_cost) ?? shipping };
	return saleAmounts(bill, session.currency, event.amountBasis);
}

function paymentOf(session: Session, sessionId: string, event: EventContext): PaymentFact | undefined {
	const amounts = amountsOf(session, event);
	if (!amounts) return undefined;
	const { intent, charge } = session.payment_intent;
	const own = attributionOf(claimsOf(session), [session.invoice]);
	return {
		kind: 'payment',
		// `payment_intent_data.metadata` is only in the intent, not in the session.
		attribution: {
			...(saysWho(own) ? own : { ...own, processorIds: present([session.invoice, intent]) }),
			couponCode: own.couponCode ?? session.discounts?.code,
		},
		sale: singleSale(intent ?? sessionId, amounts.sale),
		paymentIds: present([intent, sessionId, session.invoice, charge]),
		invoiceId: session.invoice,
		chargedCents: amounts.chargedCents,
		paidAt: event.happenedAt,
		couponIds: session.discounts && session.discounts.ids.length > 0 ? session.discounts.ids : undefined,
		isOrganic: isOfNobody(own),
	};
}
