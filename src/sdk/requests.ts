// Requests. The fields have the service's names, and test/sdk/types.test.ts keeps each type equal to the schema of its route.

/** Flags of a tracking call. */
export interface AdditionalData {
	/** True writes a flagged test record and changes nothing real: no attribution, commission, balance or figure. */
	test_mode?: boolean | undefined;
}

/** A visitor who landed by a partner's link, as your backend saw it. */
export interface Click {
	/** The requested address of the landing page, with its `aff` parameter. */
	affiliate_url: string;
	/** The visitor's current click id, see `clickIdFrom`. If it is one of the same link, it is kept and nothing is counted. */
	existing_click_id?: string | undefined;
	/** The visitor's `User-Agent` header. Without it, your backend's own name is stored. */
	user_agent?: string | undefined;
	/** Where the visitor came from: the header `Referer`. */
	referrer_url?: string | undefined;
	page_url?: string | undefined;
	page_title?: string | undefined;
	session_id?: string | undefined;
	language?: string | undefined;
	timezone?: string | undefined;
	/** The partner's own id in the link. Default: the `sub_id` of `affiliate_url`. */
	sub_id?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

interface LeadDetails {
	/** The click that brought the customer: the value of the cookie `tracker_click_id`, see `clickIdFrom`. */
	click_id?: string | undefined;
	/** Your own stable id of the customer, at most 255 characters. Use the same one for the sale. */
	customer_key?: string | undefined;
	/** Improves attribution. */
	email?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

/** A signup. Needs `click_id`, `customer_key` or both. */
export type Lead = (LeadDetails & { click_id: string }) | (LeadDetails & { customer_key: string });

/** Further fields of a sale. At least one of `customer_key`, `click_id` and `coupon_code` must lead to a partner. */
export interface SaleDetails {
	/** The `customer_key` of the lead. */
	customer_key?: string | undefined;
	/** Without a `customer_key`: the click that brought the customer. */
	click_id?: string | undefined;
	/** ISO 4217, in upper or lower case. Default: the program's. */
	currency?: string | undefined;
	/** Default: `payment`. */
	sale_type?: 'payment' | 'subscription' | undefined;
	/**
	 * Any detail, stored with the sale. If each line of a list has an integer `amount_cents`, its `product_id` selects its own commission
	 * rule.
	 */
	line_items?: Record<string, unknown> | unknown[] | undefined;
	/** True for a renewal. Default: false. */
	is_recurring?: boolean | undefined;
	/** The same for the first payment and every renewal: renewals go to the first one's partner. */
	subscription_id?: string | undefined;
	subscription_interval?: 'monthly' | 'quarterly' | 'annual' | undefined;
	/** Selects the commission rule of a product. */
	product_id?: string | undefined;
	/** The code that the customer entered at checkout: a partner's coupon leads to that partner. Other codes change nothing. */
	coupon_code?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

/** A completed payment. */
export interface Sale extends SaleDetails {
	/** Unique across all programs of the service, and what makes repetitions harmless: the id of the payment, not a new one per call. */
	transaction_id: string;
	/** In the smallest unit of the currency (cents), from 1 to 99,999,999,999. */
	amount_cents: number;
}

/** A sale in test mode; id and amount are optional. */
export interface TestSale extends SaleDetails {
	transaction_id?: string | undefined;
	amount_cents?: number | undefined;
	additional_data: { test_mode: true };
}

/** A refund of a recorded sale. */
export interface Refund {
	/** The `transaction_id` of the sale. */
	transaction_id: string;
	/** In the smallest unit of the sale's currency. Default, or 0: a full refund. */
	refund_amount_cents?: number | undefined;
	/** Recorded on the commission, and shown to the partner. */
	refund_reason?: string | undefined;
	/** Your id of the refund. Required for several refunds of one sale: without it a sale is refunded once. */
	refund_id?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

export type EventType = 'click' | 'lead' | 'sale' | 'refund';

/** Selects events. */
export interface EventFilter {
	/** Default: all. */
	type?: EventType | readonly EventType[] | undefined;
	/** Only test records, or only real ones. Default: both. */
	test?: boolean | undefined;
	/** A day in the program's time zone (`2026-01-31`), or an instant (`2026-01-31T12:00:00Z`, or a Date). Included. */
	from?: string | Date | undefined;
	/** Like `from`. Included. */
	to?: string | Date | undefined;
	/** Only events of this partner's links. */
	partner_id?: number | undefined;
	/** Only events of this link. */
	link_id?: number | undefined;
	/** Only visitors from this country (two letters), and what they did. */
	country?: string | undefined;
	/** Only events of this customer. */
	customer_id?: number | undefined;
	/** The same by your own customer id. */
	customer_key?: string | undefined;
	/** Only this sale and its refunds. */
	transaction_id?: string | undefined;
}

/** Selects a page of events. */
export interface EventPageFilter extends EventFilter {
	/** Events per page, 1 to 200. Default: 50. */
	limit?: number | undefined;
	/** The `meta.next_cursor` of the previous page, or the `meta.previous_cursor` of the next one. */
	cursor?: string | undefined;
	/** Whether to count: `meta.total`, up to 1,000, and `meta.offset`. */
	total?: boolean | undefined;
}

/** The days of a report: a period, or both dates, which override it. */
export interface PerformanceQuery {
	/** Default: `7d`, the seven calendar days that end today. */
	period?: '7d' | '30d' | '90d' | 'all' | undefined;
	/** A day in the program's time zone, or an instant. Only together with `dateTo`. */
	dateFrom?: string | Date | undefined;
	/** A day means the whole day. Only together with `dateFrom`. */
	dateTo?: string | Date | undefined;
}
