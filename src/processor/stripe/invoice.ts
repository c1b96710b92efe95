import * as z from 'zod/mini';
import type { ReferenceFact, PaymentFact } from '../../domain/processors/processor-event.ts';
import { inWords, saleAmounts, ShippingCost, untaxedShipping } from './amounts.ts';
import { attributionOf, referenceFactOf, type Claims, isCarried, Metadata, saysWho } from '../reading/attribution.ts';
import { Discounts, OneDiscount } from './coupons.ts';
import { type EventContext, type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { Flag, List, loose, present, read, Ref, Seconds, Text, Whole } from '../reading/fields.ts';
import { lineItemsOf } from '../reading/lines.ts';
import { billedLines, intervalOf, isAllProration, Line, productOf, subscriptionOf, unsentCents } from './invoice-lines.ts';
import { ChargedIntent } from './payment-ids.ts';

const Invoice = z.object({
	id: Ref,
	status: Text,
	paid: Flag,
	paid_out_of_band: Flag,
	billing_reason: Text,
	currency: Text,
	amount_due: Whole,
	amount_paid: Whole,
	subtotal: Whole,
	total: Whole,
	total_excluding_tax: Whole,
	amount_shipping: Whole,
	shipping_cost: ShippingCost,
	/** Since 2025-03. */
	total_taxes: loose(z.array(loose(z.object({ amount: Whole })))),
	parent: loose(z.object({ subscription_details: loose(z.object({ subscription: Ref, metadata: Metadata })) })),
	payments: List(z.object({ payment: loose(z.object({ payment_intent: ChargedIntent, charge: Ref })) })),
	/** Before 2025-03. */
	total_tax_amounts: loose(z.array(loose(z.object({ amount: Whole })))),
	tax: Whole,
	subscription: Ref,
	subscription_details: loose(z.object({ metadata: Metadata })),
	payment_intent: ChargedIntent,
	charge: Ref,
	metadata: Metadata,
	discounts: Discounts,
	/** Before 2025-03. */
	discount: OneDiscount,
	lines: List(Line),
	status_transitions: loose(z.object({ paid_at: Seconds, finalized_at: Seconds })),
});

type Invoice = z.infer<typeof Invoice>;

/** These make an invoice's sale a renewal. */
const RECURRING_REASONS: ReadonlySet<string> = new Set([
	'subscription_cycle',
	'subscription_update',
	'subscription_threshold',
	// Before 2018, the reason of any invoice of a subscription.
	'subscription',
]);

/** Two events report it; either may arrive first. */
export const readPaidInvoice: EventReader = (object, event) => {
	const invoice = read(Invoice, object);
	if (invoice?.id === undefined) return nothing('invoice without an id');
	if (invoice.status === undefined ? invoice.paid === false : invoice.status !== 'paid')
		return nothing('invoice that is not paid in full yet');
	const bill = billOf(invoice);
	const bindings = bindingsOf(invoice, event);
	if (bill.paid === 0) return withFacts('trial or fully discounted invoice of 0', ...(isFirst(invoice) ? bindings : []));
	const payment = paymentOf(invoice, invoice.id, event);
	if (!payment) return nothing('invoice with an amount or currency that cannot be read');
	if (payment.sale.amountCents === 0) return nothing('invoice of nothing but tax');
	const amount = inWords({ cents: payment.sale.amountCents, currency: payment.sale.currency });
	return withFacts(`${payment.sale.isRecurring ? 'renewal' : 'invoice'} paid: ${amount}`, ...bindings, payment);
};

/** The subscription began by this payment at the latest. */
function bindingsOf(invoice: Invoice, event: EventContext): ReferenceFact[] {
	const beganAt = paidAtOf(invoice, event);
	// After a first invoice of 0, later payments belong to the customer who subscribed then.
	const trialBeganAt = isFirst(invoice) && billOf(invoice).paid === 0 ? beganAt : undefined;
	return referenceFactOf(attributionOf(claimsOf(invoice, []), [subscriptionIdOf(invoice)]), { beganAt, trialBeganAt });
}

function isFirst({ billing_reason: reason }: Invoice): boolean {
	return reason === 'subscription_create';
}

function paymentOf(invoice: Invoice, invoiceId: string, event: EventContext): PaymentFact | undefined {
	const amounts = saleAmounts(billOf(invoice), invoice.currency, event.amountBasis);
	if (!amounts) return undefined;
	const lines = linesOf(invoice);
	const { currency } = amounts.sale;
	const subscriptionId = subscriptionIdOf(invoice);
	const hasAllLines = invoice.lines?.has_more !== true;
	const attribution = attributionOf(claimsOf(invoice, [invoice.metadata]), [subscriptionId, invoiceId]);
	const isRecurring = isRenewal(invoice);
	const discounts = [...(invoice.discounts?.ids ?? []), ...invoice.discount.ids];
	return {
		kind: 'payment',
		attribution: { ...attribution, couponCode: attribution.couponCode ?? invoice.discounts?.code ?? invoice.discount.code },
		sale: {
			transactionId: invoiceId,
			amountCents: amounts.sale.cents,
			currency,
			saleType: subscriptionId === undefined ? 'payment' : 'subscription',
			isRecurring,
			isProration: subscriptionId !== undefined && hasAllLines && isAllProration(lines) ? true : undefined,
			subscriptionId,
			subscriptionInterval: subscriptionId === undefined ? undefined : intervalOf(lines),
			// The checkout of a single payment does not name the product, and the commission must not depend on which event arrives first.
			productId: subscriptionId === undefined || !hasAllLines ? undefined : productOf(lines),
			lineItems: lineItemsOf(
				billedLines(lines, currency),
				hasAllLines ? undefined : { amountCents: unsentCents(lines, invoice.subtotal, currency) },
			),
			linesAreDetail: subscriptionId === undefined ? true : undefined,
		},
		paymentIds: paymentIdsOf(invoice, invoiceId),
		invoiceId,
		chargedCents: amounts.chargedCents,
		paidAt: paidAtOf(invoice, event),
		// A checkout's code is stored under the ids of its invoice and subscription.
		couponIds: discounts.length > 0 ? present([...discounts, invoiceId, subscriptionId]) : undefined,
		keylessSince: isRecurring && snapshotOf(invoice) && !saysWho(attribution) ? finalizedAtOf(invoice, event) : undefined,
	};
}

function isRenewal(invoice: Invoice): boolean {
	return subscriptionIdOf(invoice) !== undefined && RECURRING_REASONS.has(invoice.billing_reason ?? '');
}

function linesOf(invoice: Invoice): Line[] {
	return (invoice.lines?.data ?? []).filter((line) => line !== undefined);
}

function subscriptionIdOf(invoice: Invoice): string | undefined {
	return invoice.parent?.subscription_details?.subscription ?? invoice.subscription ?? subscriptionOf(linesOf(invoice));
}

function paidAtOf({ status_transitions: transitions }: Invoice, { happenedAt }: EventContext): number {
	return transitions?.paid_at === undefined ? happenedAt : transitions.paid_at * 1000;
}

/** Stripe copies the subscription's metadata when it finalizes the invoice. */
function finalizedAtOf(invoice: Invoice, event: EventContext): number {
	const finalizedAt = invoice.status_transitions?.finalized_at;
	return finalizedAt === undefined ? paidAtOf(invoice, event) : finalizedAt * 1000;
}

/** In the new or old form; invoices have it since June 2023. */
function snapshotOf(invoice: Invoice): Claims | undefined {
	return [invoice.parent?.subscription_details?.metadata, invoice.subscription_details?.metadata].find(isCarried);
}

/** The subscription's metadata first. A renewal that has it ignores the lines, because lines from an earlier change hold old metadata. */
function claimsOf(invoice: Invoice, own: readonly Claims[]): Claims[] {
	const snapshot = snapshotOf(invoice);
	const ofLines = snapshot && isRenewal(invoice) ? [] : linesOf(invoice).map(({ metadata }) => metadata);
	return [...(snapshot ? [snapshot] : []), ...own, ...ofLines];
}

function paymentIdsOf(invoice: Invoice, invoiceId: string): string[] {
	const payments = (invoice.payments?.data ?? []).map((item) => item?.payment);
	return present([
		invoiceId,
		invoice.payment_intent.intent,
		invoice.payment_intent.charge,
		invoice.charge,
		...payments.flatMap((payment) => [payment?.payment_intent.intent, payment?.payment_intent.charge, payment?.charge]),
	]);
}

function billOf(invoice: Invoice) {
	const paid = invoice.amount_paid ?? 0;
	const total = invoice.total ?? 0;
	const taxes = invoice.total_taxes ?? invoice.total_tax_amounts;
	const tax = taxes?.reduce((sum, part) => sum + (part?.amount ?? 0), 0) ?? invoice.tax ?? 0;
	return {
		// Before 2025-03 the amount paid excluded payments outside of Stripe.
		paid: paid === 0 && invoice.paid_out_of_band === true ? (invoice.amount_due ?? 0) : paid,
		total,
		tax: invoice.total_excluding_tax === undefined ? tax : total - invoice.total_excluding_tax,
		shipping: untaxedShipping(invoice.shipping_cost) ?? invoice.amount_shipping ?? 0,
	};
}
