import * as z from 'zod/mini';
import type { PaymentFact } from '../../domain/processors/processor-event.ts';
import { inWords, type SaleAmounts, saleAmounts, singleSale } from './amounts.ts';
import { attributionOf, referenceFactOf, isOfNobody, Metadata, saysWho } from '../reading/attribution.ts';
import { type EventContext, type EventReader, withFacts } from '../reading/event-reader.ts';
import { loose, present, read, Ref, Text, Whole } from '../reading/fields.ts';
import { chargeOf, idsOf, Intent } from './payment-ids.ts';

const PaidIntent = z.extend(Intent, {
	amount: Whole,
	amount_received: Whole,
	currency: Text,
	capture_method: Text,
	metadata: Metadata,
	/** Before 2025-03, as on a charge. */
	invoice: Ref,
	/** Since 2025-09. Stripe writes the invoice or checkout session here, unless the business has written its own order. */
	payment_details: loose(z.object({ order_reference: Ref })),
	/** Since 2025-09, if the business set it. */
	amount_details: loose(z.object({ tax: loose(z.object({ total_tax_amount: Whole })), shipping: loose(z.object({ amount: Whole })) })),
});

type PaidIntent = z.infer<typeof PaidIntent>;

const STRIPE_ORDER = /^(?<kind>in|cs)_\w{14,}$/;

/**
 * The invoice or checkout that requested a payment is the sale, except that only the intent reports a later capture. Any other intent is a
 * sale if it names its payer.
 */
export const readPaymentIntent: EventReader = (object, event) => {
	const intent = read(PaidIntent, object);
	const { invoiceId, sessionId } = askerOf(intent);
	const ids = [intent?.id, intent && chargeOf(intent), sessionId];
	if (intent?.id === undefined) return idsOf('payment intent', ids, invoiceId);

	const attribution = attributionOf([intent.metadata], [intent.id]);
	// In API versions that do not say what requested a payment, it may have been a checkout.
	const awaitsCheckout = [sessionId, invoiceId].some((id) => id !== undefined) || intent.payment_details === undefined ? true : undefined;
	const bindings = awaitsCheckout ? referenceFactOf(attribution) : [];
	const saysEnough = intent.capture_method === 'manual' || (sessionId === undefined && saysWho(attribution));
	const isSold = invoiceId === undefined && saysEnough;
	const isOrganic = awaitsCheckout ? undefined : isOfNobody(attribution);
	if (!isSold) {
		const tied = idsOf('payment intent', ids, invoiceId, isOrganic);
		return { ...tied, facts: [...bindings, ...tied.facts] };
	}
	const amounts = amountsOf(intent, event);
	if (!amounts) return withFacts('payment intent with an amount or currency that cannot be read', ...bindings);
	if (amounts.sale.cents === 0) return withFacts('payment intent of nothing but tax', ...bindings);
	const payment: PaymentFact = {
		kind: 'payment',
		attribution,
		sale: singleSale(intent.id, amounts.sale),
		paymentIds: present(ids),
		invoiceId: undefined,
		chargedCents: amounts.chargedCents,
		paidAt: event.happenedAt,
		awaitsCheckout,
		isOrganic,
	};
	return withFacts(`payment intent paid: ${inWords(amounts.sale)}`, ...bindings, payment);
};

function askerOf(intent: PaidIntent | undefined) {
	const order = intent?.payment_details?.order_reference;
	const kind = order === undefined ? undefined : STRIPE_ORDER.exec(order)?.groups?.['kind'];
	return { invoiceId: intent?.invoice ?? (kind === 'in' ? order : undefined), sessionId: kind === 'cs' ? order : undefined };
}

/** Tax and shipping are known only if the business wrote them into the intent. */
function amountsOf(intent: PaidIntent, { amountBasis }: EventContext): SaleAmounts | undefined {
	const paid = intent.amount_received ?? 0;
	const { tax, shipping } = intent.amount_details ?? {};
	const bill = { paid, total: intent.amount ?? paid, tax: tax?.total_tax_amount ?? 0, shipping: shipping?.amount ?? 0 };
	return saleAmounts(bill, intent.currency, amountBasis);
}
