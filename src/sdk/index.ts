// The entry point `affiliate-tracker/sdk` of the package. The guide "TypeScript SDK" describes it.

export { type ClickIdSource, clickIdFrom, type CookieStore, type HeadersOfRequest, type WithCookies } from './click-id.ts';
export { TrackerError, type TrackerErrorKind } from './errors.ts';
export type { CallOptions, TrackerOptions } from './options.ts';
export type { ClickReceipt, LeadReceipt, RefundReceipt, SaleReceipt, TestEvent } from './receipts.ts';
export type {
	ClickEvent,
	DayOfPerformance,
	EventPage,
	LeadEvent,
	Performance,
	PerformanceMetrics,
	ProgramStatus,
	RefundEvent,
	SaleEvent,
	TrackedEvent,
	Trend,
} from './reports.ts';
export type {
	AdditionalData,
	Click,
	EventFilter,
	EventPageFilter,
	EventType,
	Lead,
	PerformanceQuery,
	Refund,
	Sale,
	TestSale,
} from './requests.ts';
export {
	type BuyerIds,
	paddleCustomData,
	type StripeIds,
	type StripeMetadata,
	stripeMetadata,
	type StripeSubscriptionMetadata,
} from './stripe.ts';
export { Tracker } from './tracker.ts';
