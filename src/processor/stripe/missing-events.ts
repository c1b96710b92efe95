import type { Arrival, MissingEvent } from '../../domain/monitoring/processor-health.ts';

/** Since 2025-03, an invoice and its payment do not name each other. */
const FIRST_WITHOUT_PAYMENT = '2025-03-31';

export interface PaidInvoice {
	readonly apiVersion: string;
	readonly isTest: boolean;
}

/** Judged by the events that arrived, in live and in test mode. */
export function missingStripeEvents(arrivals: readonly Arrival[], invoices: readonly PaidInvoice[]): MissingEvent[] {
	return [false, true].flatMap((isTest) => {
		const came = new Set(arrivals.filter((arrival) => arrival.isTest === isTest).map(({ type }) => type));
		const hasEvidenceOf = (type: string) => arrivals.some((one) => one.type === type && one.isTest === isTest && one.isEvidence);
		const untied = invoices.find((invoice) => invoice.isTest === isTest && invoice.apiVersion >= FIRST_WITHOUT_PAYMENT);
		const missing: MissingEvent[] = [];
		if (untied && !came.has('invoice_payment.paid')) {
			missing.push({
				type: 'invoice_payment.paid',
				isTest,
				because: `its invoices (API version ${untied.apiVersion}) do not name their payment, so a refund or dispute of a subscription cannot find its sale`,
			});
		}
		if (hasEvidenceOf('invoice_payment.paid') && !came.has('invoice.paid') && !came.has('invoice.payment_succeeded')) {
			missing.push({ type: 'invoice.paid', isTest, because: 'only this event records the sales of paid invoices' });
		}
		return missing;
	});
}
