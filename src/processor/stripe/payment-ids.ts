import * as z from 'zod/mini';
import type { ProcessorEvent } from '../../domain/processors/processor-event.ts';
import { type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { List, loose, present, read, Ref } from '../reading/fields.ts';

export const Intent = z.object({
	id: Ref,
	latest_charge: Ref,
	/** Before 2022-11. */
	charges: List(z.object({ id: Ref })),
});

/** Only the intent if it was sent as an id. */
export const ChargedIntent = z.pipe(
	z.optional(z.unknown()),
	z.transform((value) => {
		const intent = read(Intent, value);
		return { intent: read(Ref, value), charge: intent && chargeOf(intent) };
	}),
);

const Charge = z.object({ id: Ref, payment_intent: Ref, invoice: Ref });

const InvoicePayment = z.object({
	invoice: Ref,
	payment: loose(z.object({ payment_intent: ChargedIntent, charge: Ref })),
});

/** Only links ids; the checkout, invoice or payment intent is the sale. */
export const readCharge: EventReader = (object) => {
	const charge = read(Charge, object);
	return idsOf('charge', [charge?.id, charge?.payment_intent], charge?.invoice);
};

/** Read because an invoice and its payment do not name each other since 2025-03. */
export const readInvoicePayment: EventReader = (object) => {
	const paid = read(InvoicePayment, object);
	const { payment_intent: intent, charge } = paid?.payment ?? {};
	return idsOf('invoice payment', [intent?.intent, intent?.charge, charge], paid?.invoice);
};

export function idsOf(what: string, ids: readonly (string | undefined)[], invoiceId: string | undefined, isOrganic?: true): ProcessorEvent {
	const paymentIds = present([...ids, invoiceId]);
	return paymentIds.length > 1
		? withFacts(`${what}: ids of one payment`, { kind: 'payment_ids', paymentIds, invoiceId, isOrganic })
		: nothing(`${what} that names no other id of the payment`);
}

export function chargeOf(intent: z.infer<typeof Intent>): string | undefined {
	return intent.latest_charge ?? intent.charges?.data[0]?.id;
}
