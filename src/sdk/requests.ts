// Fields are named as in the API, and test/sdk/types.test.ts checks that each type equals its route's schema.

export interface AdditionalData {
	/** True only writes a record that is flagged as a test, without effect on attribution, commissions, balances or figures. */
	test_mode?: boolean | undefined;
}

/** A visitor who arrived through a partner's link, as seen by your backend. */
export interface Click {
	/** The requested URL of the landing page, with its `aff` parameter. */
	affiliate_url: string;
	/** The visitor's current click id, see `clickIdFrom`. If it belongs to the same link, it is kept and nothing is counted. */
	existing_click_id?: string | undefined;
	/** The visitor's `User-Agent` header. Without it, your backend's user agent is stored. */
	user_agent?: string | undefined;
	/** Where the visitor came from: the `Referer` header. */
	referrer_url?: string | undefined;
	page_url?: string | undefined;
	page_title?: string | undefined;
	session_id?: string | undefined;
	language?: string | undefined;
	timezone?: string | undefined;
	/** A value that the partner added to the link. Default: the `sub_id` of `affiliate_url`. */
	sub_id?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

interface LeadDetails {
	/** The click that brought the customer: the value of the cookie `tracker_click_id`, see `clickIdFrom`. */
	click_id?: string | undefined;
	/** Your stable id for the customer, at most 255 characters. Use the same one for the sale. */
	customer_key?: string | undefined;
	/** Improves attribution. */
	email?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

/** A sign-up. Needs `click_id`, `customer_key` or both. */
export type Lead = (LeadDetails & { click_id: string }) | (LeadDetails & { customer_key: string });

/** Further fields of a sale. At least one of `customer_key`, `click_id` and `coupon_code` must identify a partner. */
export interface SaleDetails {
	/** The `customer_key` of the lead. */
	customer_key?: string | undefined;
	/** The click that brought the customer, if there is no `customer_key`. */
	click_id?: string | undefined;
	/** ISO 4217, in upper or lower case. Default: the program's. */
	currency?: string | undefined;
	/** Default: `payment`. */
	sale_type?: 'payment' | 'subscription' | undefined;
	/**
	 * Any details to store with the sale. If each line of a list has an integer `amount_cents`, the line's `product_id` selects its
	 * commission rule.
	 */
	line_items?: Record<string, unknown> | unknown[] | undefined;
	/** True for a renewal. Default: false. */
	is_recurring?: boolean | undefined;
	/** The same id for the first payment and every renewal. Renewals are attributed to the first payment's partner. */
	subscription_id?: string | undefined;
	subscription_interval?: 'monthly' | 'quarterly' | 'annual' | undefined;
	/** Selects the commission rule of a product. */
	product_id?: string | undefined;
	/**
	 * The code that the customer entered at checkout. A partner's coupon attributes the sale to that partner; other codes have no effect.
	 */
	coupon_code?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

/** A completed payment. */
export interface Sale extends SaleDetails {
	/** The id of the payment, so that it is safe to send the sale again. Unique across all programs of the service. */
	transaction_id: string;
	/** In the smallest unit of the currency (cents), from 1 to 99,999,999,999. */
	amount_cents: number;
}

/** A sale in test mode. Id and amount are optional. */
export interface TestSale extends SaleDetails {
	transaction_id?: string | undefined;
	amount_cents?: number | undefined;
	additional_data: { test_mode: true };
}

/** A refund of a recorded sale. */
export interface Refund {
	/** The `transaction_id` of the sale. */
	transaction_id: string;
	/** In the smallest unit of the sale's currency. If missing or 0, the sale is fully refunded. */
	refund_amount_cents?: number | undefined;
	/** Recorded on the commission, and shown to the partner. */
	refund_reason?: string | undefined;
	/** Your id for the refund. Required if a sale has several refunds, because without it a sale is refunded only once. */
	refund_id?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

export type EventType = 'click' | 'lead' | 'sale' | 'refund';

export interface EventFilter {
	/** Default: all. */
	type?: EventType | readonly EventType[] | undefined;
	/** Only test records, or only real ones. Default: both. */
	test?: boolean | undefined;
	/** A day in the program's time zone (`2026-01-31`), or an instant (`2026-01-31T12:00:00Z`, or a Date). Inclusive. */
	from?: string | Date | undefined;
	/** Like `from`. Inclusive. */
	to?: string | Date | undefined;
	/** Only events of this partner's links. */
	partner_id?: number | undefined;
	/** Only events of this link. */
	link_id?: number | undefined;
	/** Only events of visitors from this country (two letters). */
	country?: string | undefined;
	/** Only events of this customer. */
	customer_id?: number | undefined;
	/** Only events of the customer with this id of yours. */
	customer_key?: string | undefined;
	/** Only this sale and its refunds. */
	transaction_id?: string | undefined;
}

export interface EventPageFilter extends EventFilter {
	/** Events per page, 1 to 200. Default: 50. */
	limit?: number | undefined;
	/** The `meta.next_cursor` of the previous page, or the `meta.previous_cursor` of the next one. */
	cursor?: string | undefined;
	/** Whether to return `meta.total`, counted up to 1,000, and `meta.offset`. */
	total?: boolean | undefined;
}

/** A period, or both dates, which override the period. */
export interface PerformanceQuery {
	/** Default: `7d`, the seven calendar days that end today. */
	period?: '7d' | '30d' | '90d' | 'all' | undefined;
	/** A day in the program's time zone, or an instant. Requires `dateTo`. */
	dateFrom?: string | Date | undefined;
	/** A day includes the whole day. Requires `dateFrom`. */
	dateTo?: string | Date | undefined;
}
