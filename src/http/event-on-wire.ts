import { isoOf } from '../domain/instant.ts';
import type { TrackedEvent } from '../reporting/event.ts';

export function eventOnWire(event: TrackedEvent) {
	return {
		type: event.type,
		id: event.id,
		at: isoOf(event.at),
		is_test: event.isTest,
		is_bot: event.isBot,
		click_id: event.clickId,
		customer_key: event.customerKey,
		sale_id: event.saleId,
		transaction_id: event.transactionId,
		product_id: event.productId,
		amount_cents: event.amountCents,
		currency: event.currency,
		commission_id: event.commissionId,
		deduction_cents: event.deductionCents,
		refund_id: event.refundId,
		outcome: event.outcome,
		source: event.source,
		reason: event.reason,
		partner: event.partner,
		short_link: event.shortLink,
		country: event.country,
		sale_type: event.saleType,
		is_recurring: event.isRecurring,
		subscription_id: event.subscriptionId,
		subscription_interval: event.subscriptionInterval,
	};
}
