interface EventOf<Type> {
	readonly type: Type;
	/** Unique among events of its type. */
	readonly id: number;
	/** ISO 8601, UTC. */
	readonly at: string;
	readonly is_test: boolean;
	/** Leads: the click that was sent. Sales and refunds: the click that attributes the customer. */
	readonly click_id: string | null;
	/** The partner who gets the credit. */
	readonly partner: { readonly id: number; readonly name: string } | null;
	/** The link that the customer followed. */
	readonly short_link: string | null;
}

export interface ClickEvent extends EventOf<'click'> {
	readonly click_id: string;
	readonly short_link: string;
	/** True for a crawler that ran the page's script. Such clicks are stored but not counted. */
	readonly is_bot: boolean;
	/** Two letters, as reported by the platform. */
	readonly country: string | null;
}

export interface LeadEvent extends EventOf<'lead'> {
	readonly customer_key: string | null;
}

interface AmountOfSale {
	readonly customer_key: string | null;
	readonly sale_id: number;
	readonly transaction_id: string;
	readonly product_id: string | null;
	/** The sale's amount or the refunded part, in the smallest unit of `currency`. Negative if a refund no longer counts. */
	readonly amount_cents: number;
	/** ISO 4217. */
	readonly currency: string;
	/** Null if there is no commission. */
	readonly commission_id: number | null;
}

export interface SaleEvent extends EventOf<'sale'>, AmountOfSale {
	readonly sale_type: 'payment' | 'subscription';
	/** Whether the sale renews a subscription. */
	readonly is_recurring: boolean;
	readonly subscription_id: string | null;
	readonly subscription_interval: 'monthly' | 'quarterly' | 'annual' | null;
}

export interface RefundEvent extends EventOf<'refund'>, AmountOfSale {
	/** Deducted from the commission, in the smallest unit of `currency`; negative if it was added back. Null if there is no commission. */
	readonly deduction_cents: number | null;
	/** `reinstated`: the refund failed at the payment processor, or a dispute was won. */
	readonly outcome: 'reversed' | 'refunded' | 'no_commission' | 'reinstated' | 'skipped' | 'test';
	/** A backend, or the payment processor. */
	readonly source: 'endpoint' | 'processor';
	readonly refund_id: string | null;
	readonly reason: string | null;
}

/** `type` distinguishes them. */
export type TrackedEvent = ClickEvent | LeadEvent | SaleEvent | RefundEvent;

/** Newest first. */
export interface EventPage {
	readonly data: readonly TrackedEvent[];
	readonly meta: {
		/** Null on the last page. */
		readonly next_cursor: string | null;
		/** Null on the first page. */
		readonly previous_cursor?: string | null;
		/** Only if requested: how many events match, up to 1,000. */
		readonly total?: number;
		/** Only with `total`: whether more events match than that. */
		readonly total_is_more?: boolean;
		/** Only with `total`: how many events precede this page; null if more than were counted. */
		readonly offset?: number | null;
	};
}

export interface ProgramStatus {
	readonly program_id: number;
	readonly name: string;
	readonly domain: string | null;
	/** Real events, without crawlers, counted up to 1,000. */
	readonly recent_events: { readonly clicks_24h: number; readonly leads_24h: number; readonly sales_24h: number };
	readonly active_partners: number;
	readonly pending_commissions: number;
	/** ISO 8601, UTC; null if there was none. */
	readonly last_event_at: { readonly click: string | null; readonly lead: string | null; readonly sale: string | null };
	readonly stripe_connected: boolean;
	readonly allowed_origins: readonly string[];
	/** Origins whose clicks or leads were refused in the last 24 hours, because the program does not list them; at most ten. */
	readonly refused_origins: readonly string[];
	/** `next_action` says what to do if something is missing; otherwise it is null. */
	readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly next_action: string | null }[];
}

/** One calendar day in the program's time zone. */
export interface DayOfPerformance {
	/** YYYY-MM-DD. */
	readonly date: string;
	/** The same as `date`. */
	readonly period: string;
	/** Real clicks. */
	readonly clicks: number;
	/** Customers who signed up that day. */
	readonly leads: number;
	/** Customers whose first purchase was that day. */
	readonly conversions: number;
	/** Gross, in major units of the program's currency (dollars). */
	readonly revenue: number;
	/** Partners who joined the program that day. */
	readonly partners: number;
	/** Always 0. */
	readonly sales: number;
	/** Gross, in major units of the program's currency (dollars). */
	readonly commission: number;
	/** Amounts in other currencies, by currency code, in their major units. */
	readonly currencies?: { readonly [code: string]: { readonly revenue: number; readonly commission: number } };
}

/** The change from the preceding period. */
export interface Trend {
	/** Percent without a sign, one decimal. */
	readonly trend: number;
	readonly trendDirection: 'up' | 'down' | 'stable';
}

/** Amounts in major units (dollars), two decimals. `net` excludes refunds of these sales. */
interface AmountMetrics {
	readonly totalSales: number;
	readonly totalRevenue: number;
	readonly netRevenue: number;
	readonly totalPartnersCommission: number;
	readonly netCommission: number;
}

/** Amounts are in the program's currency. Other currencies are listed separately and never added. */
export interface PerformanceMetrics extends AmountMetrics {
	readonly totalClicks: number;
	/** Customers who signed up in the period and have not bought yet. */
	readonly totalLeads: number;
	/** Customers who signed up in the period. */
	readonly totalSignups: number;
	/** Customers whose first purchase was in the period. */
	readonly totalConversions: number;
	/** Conversions per click in percent, two decimals; 0 without clicks. */
	readonly conversionRate: number;
	/** Revenue per conversion; 0 without conversions. */
	readonly averageOrderValue: number;
	/** Revenue per sale, by currency code; omits currencies without sales. */
	readonly averageSaleValues: { readonly [code: string]: number };
	readonly totalPartners: number;
	/** The other currencies, by currency code. */
	readonly currencies: { readonly [code: string]: AmountMetrics };
	readonly clicksTrend: Trend;
	readonly leadsTrend: Trend;
	readonly conversionsTrend: Trend;
	readonly revenueTrend: Trend;
	readonly partnersTrend: Trend;
	readonly salesTrend: Trend;
	readonly commissionTrend: Trend;
}

export interface Performance {
	/** Every day of the range, oldest first, including days without activity. */
	readonly data: readonly DayOfPerformance[];
	readonly metrics: PerformanceMetrics;
	/** The range and the preceding one. Instants are ISO 8601, UTC. */
	readonly meta: {
		readonly period: '7d' | '30d' | '90d' | 'all';
		readonly dateFrom: string;
		readonly dateTo: string;
		readonly previousPeriod: { readonly dateFrom: string; readonly dateTo: string };
	};
}
