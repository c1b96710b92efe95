import * as z from 'zod/mini';
import type { ReferenceFact, PaymentFact } from '../../domain/processors/processor-event.ts';
import { attributionOf, referenceFactOf, isOfNobody, Metadata, saysWho } from '../reading/attribution.ts';
import { type EventContext, type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { loose, read, Ref, Text } from '../reading/fields.ts';
import { inWords, LooseTotals, type Paid, paidOf } from './amounts.ts';
import { Instant } from './fields.ts';
import { lineItemsOf } from '../reading/lines.ts';
import { billedLines, boughtIn, intervalOf, isAllProration, Item, Line, productOf } from './lines.ts';

const Transaction = z.object({
	id: Ref,
	status: Text,
	origin: Text,
	created_at: Instant,
	currency_code: Text,
	subscription_id: Ref,
	discount_id: Ref,
	custom_data: Metadata,
	items: loose(z.array(Item)),
	details: loose(z.object({ totals: LooseTotals, line_items: loose(z.array(Line)) })),
	payments: loose(z.array(loose(z.object({ status: Text, captured_at: Instant })))),
});

type Transaction = z.infer<typeof Transaction>;

/** Paddle creates these for a running subscription. */
const RECURRING_ORIGINS: ReadonlySet<string> = new Set([
	'subscription_recurring',
	'subscription_update',
	'subscription_charge',
	'subscription_payment_method_change',
]);

/** Only this event always names the subscription of a payment. */
export const readCompletedTransaction: EventReader = (object, event) => {
	const transaction = read(Transaction, object);
	if (transaction?.id === undefined) return nothing('transaction without an id');
	if ((transaction.status ?? 'completed') !== 'completed') return nothing('transaction that is not complete yet');
	const paid = paidOf(transaction.details?.totals, currencyOf(transaction), event.amountBasis);
	if (!paid) return nothing('transaction with an amount or currency that cannot be read');
	const isFree = paid.cashCents === 0;
	const bindings = bindingsOf(transaction, event, isFree);
	if (isFree) return withFacts('trial, or transaction that a discount or credit paid', ...(isFirst(transaction) ? bindings : []));
	if (paid.goodsCents === 0) return nothing('transaction of nothing but tax');
	const payment = paymentOf(transaction, transaction.id, { paid, event });
	return withFacts(`${payment.sale.isRecurring ? 'renewal' : 'transaction'} paid: ${inWords(paid.sale)}`, ...bindings, payment);
};

/** Paddle copies the transaction's custom data to the subscription, which began by this payment at the latest. */
function bindingsOf(transaction: Transaction, event: EventContext, isFree: boolean): ReferenceFact[] {
	const { subscription_id: subscriptionId, custom_data: claims } = transaction;
	const beganAt = paidAtOf(transaction, event);
	const beginning =
		subscriptionId === undefined ? undefined : { beganAt, trialBeganAt: isFree && isFirst(transaction) ? beganAt : undefined };
	return referenceFactOf(attributionOf([claims], [subscriptionId]), beginning);
}

function isFirst({ origin }: Transaction): boolean {
	return !RECURRING_ORIGINS.has(origin ?? '');
}

function paymentOf(
	transaction: Transaction,
	transactionId: string,
	{ paid, event }: { readonly paid: Paid; readonly event: EventContext },
): PaymentFact {
	const { subscription_id: subscriptionId, discount_id: discountId, custom_data: claims, details, items } = transaction;
	const bought = boughtIn(details?.line_items ?? [], items ?? []);
	const isOfSubscription = subscriptionId !== undefined;
	const attribution = attributionOf([claims], [subscriptionId, transactionId]);
	const isRecurring = isOfSubscription && !isFirst(transaction);
	return {
		kind: 'payment',
		attribution,
		sale: {
			transactionId,
			amountCents: paid.sale.cents,
			currency: paid.sale.currency,
			saleType: isOfSubscription ? 'subscription' : 'payment',
			isRecurring,
			isProration: isOfSubscription && isAllProration(bought) ? true : undefined,
			subscriptionId,
			subscriptionInterval: isOfSubscription ? intervalOf(bought) : undefined,
			productId: isOfSubscription ? productOf(bought) : (claims.productId ?? productOf(bought)),
			lineItems: lineItemsOf(billedLines(bought, paid.sale.currency)),
			// The metadata names one product for the whole payment, so its lines select no rules.
			linesAreDetail: !isOfSubscription && claims.productId !== undefined ? true : undefined,
		},
		paymentIds: [transactionId],
		invoiceId: undefined,
		chargedCents: paid.goodsCents,
		paidAt: paidAtOf(transaction, event),
		couponIds: discountId === undefined ? undefined : [discountId],
		// The first transaction requested the payment, and the subscription copied its custom data, so probably no other event will name a payer.
		isOrganic: isFirst(transaction) ? isOfNobody(attribution) : undefined,
		// Paddle copies the subscription's custom data when it creates the transaction, or sends null if there is none.
		keylessSince: isRecurring && !saysWho(attribution) ? (transaction.created_at ?? event.happenedAt) : undefined,
	};
}

function currencyOf({ currency_code: currency, details }: Transaction): string | undefined {
	return currency ?? details?.totals?.currency_code;
}

/** The event's time is for invoices paid by transfer, whose arrival is unknown. */
function paidAtOf({ payments }: Transaction, { happenedAt }: EventContext): number {
	const captured = (payments ?? []).flatMap((payment) => (payment?.status === 'captured' ? (payment.captured_at ?? []) : []));
	return captured.length > 0 ? Math.max(...captured) : happenedAt;
}
