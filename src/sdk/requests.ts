// What is sent. The fields are named as on the wire, and test/sdk/types.test.ts holds each type equal to the schema
// that the route parses with.

/** Flags of a tracking call. */
export interface AdditionalData {
	/** True: a flagged test record is written, and nothing real is moved: no attribution, commission, balance or figure. */
	test_mode?: boolean | undefined;
}

/** A visitor who landed by a partner's link, as your backend saw it. */
export interface Click {
	/** The address of the landing page as it was asked for, with its `aff` parameter. */
	affiliate_url: string;
	/** The click that the visitor has so far, see `clickIdFrom`: kept, and nothing counted, where it is one on the same link. */
	existing_click_id?: string | undefined;
	/** The visitor's, of the header `User-Agent`. Left out, your backend's own name stands there. */
	user_agent?: string | undefined;
	/** Where the visitor came from: the header `Referer`. */
	referrer_url?: string | undefined;
	page_url?: string | undefined;
	page_title?: string | undefined;
	session_id?: string | undefined;
	language?: string | undefined;
	timezone?: string | undefined;
	/** What the partner put into the link for itself. Left out: the `sub_id` of `affiliate_url`. */
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

/** A signup. At least one of `click_id` and `customer_key` must be there. */
export type Lead = (LeadDetails & { click_id: string }) | (LeadDetails & { customer_key: string });

/** What a sale may tell beside its id and amount. At least one of `customer_key`, `click_id` and `coupon_code` must lead to a partner. */
export interface SaleDetails {
	/** The `customer_key` of the lead. */
	customer_key?: string | undefined;
	/** Where there is no `customer_key`: the click that brought the customer. */
	click_id?: string | undefined;
	/** ISO 4217, any letter case. Left out: the program's. */
	currency?: string | undefined;
	/** Left out: `payment`. */
	sale_type?: 'payment' | 'subscription' | undefined;
	/** Any detail, stored with the sale. In a list whose lines all have an integer `amount_cents`, each line's `product_id` selects its own commission rule. */
	line_items?: Record<string, unknown> | unknown[] | undefined;
	/** True for a renewal. Left out: false. */
	is_recurring?: boolean | undefined;
	/** The same one for the first payment and every renewal: it leads the renewals to the first one's partner. */
	subscription_id?: string | undefined;
	subscription_interval?: 'monthly' | 'quarterly' | 'annual' | undefined;
	/** Selects the commission rule of a product. */
	product_id?: string | undefined;
	/** The code that the customer gave at the checkout: a coupon of a partner's leads to that partner. Any other changes nothing. */
	coupon_code?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

/** A completed payment. */
export interface Sale extends SaleDetails {
	/** Unique over all programs of the service, and what makes a repetition harmless: the id of the payment, not a new one per call. */
	transaction_id: string;
	/** In the smallest unit of the currency (cents), from 1 to 99,999,999,999. */
	amount_cents: number;
}

/** A sale in test mode: id and amount may be left out. */
export interface TestSale extends SaleDetails {
	transaction_id?: string | undefined;
	amount_cents?: number | undefined;
	additional_data: { test_mode: true };
}

/** A refund of a recorded sale. */
export interface Refund {
	/** The `transaction_id` of the sale. */
	transaction_id: string;
	/** In the smallest unit of the sale's currency. Left out or 0: a full refund. */
	refund_amount_cents?: number | undefined;
	/** Recorded on the commission, and told to the partner. */
	refund_reason?: string | undefined;
	/** Your id of the refund. Needed for several refunds of one sale: without it a sale is refunded once. */
	refund_id?: string | undefined;
	additional_data?: AdditionalData | undefined;
}

export type EventType = 'click' | 'lead' | 'sale' | 'refund';

/** Which events. */
export interface EventFilter {
	/** Left out: all. */
	type?: EventType | readonly EventType[] | undefined;
	/** Only test records, or only real ones. Left out: both. */
	test?: boolean | undefined;
	/** A day of the program's time zone (`2026-01-31`), or an instant (`2026-01-31T12:00:00Z`, or a Date). Included. */
	from?: string | Date | undefined;
	/** As `from`. Included. */
	to?: string | Date | undefined;
	/** Only those of this partner: what its links brought. */
	partner_id?: number | undefined;
	/** Only those of this link. */
	link_id?: number | undefined;
	/** Only visitors from this country, two letters, and what they did. */
	country?: string | undefined;
	/** Only those of this customer. */
	customer_id?: number | undefined;
	/** The same by your id of the customer. */
	customer_key?: string | undefined;
	/** Only this sale and its refunds. */
	transaction_id?: string | undefined;
}

/** Which page of the events. */
export interface EventPageFilter extends EventFilter {
	/** Events per page, 1 to 200. Left out: 50. */
	limit?: number | undefined;
	/** The `meta.next_cursor` of the page before, or the `meta.previous_cursor` of the page after. */
	cursor?: string | undefined;
	/** Whether to count: `meta.total`, up to 1,000, and `meta.offset`. */
	total?: boolean | undefined;
}

/** The days of a report: a period, or both dates, which then win over it. */
export interface PerformanceQuery {
	/** Left out: `7d`, the seven calendar days that end today. */
	period?: '7d' | '30d' | '90d' | 'all' | undefined;
	/** A day of the program's time zone, or an instant. Counts together with `dateTo`. */
	dateFrom?: string | Date | undefined;
	/** A day means that whole day. Counts together with `dateFrom`. */
	dateTo?: string | Date | undefined;
}
