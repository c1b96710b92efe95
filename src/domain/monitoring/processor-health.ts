import { DAY_MS, HOUR_MS } from '../calendar.ts';

// Problems between a program and its processor in which no single event is refused.

/** An event type that the processor should send, according to others. */
export interface MissingEvent {
	readonly type: string;
	/** What came instead and what goes wrong, as the end of a sentence. */
	readonly because: string;
	/** The processor's test mode, which has its own endpoint. */
	readonly isTest: boolean;
}

/** An event type that arrived recently. */
export interface Arrival {
	readonly type: string;
	readonly isTest: boolean;
	/** Whether what belongs to it would have arrived by now. */
	readonly isEvidence: boolean;
}

/** How many of the newest events are read; fewer count as evidence, because what belongs to them is among the former. */
export const ARRIVALS = 300;
export const EVIDENCE = 200;

/** Sales that look like one payment, reported by processor and backend. */
export interface ReportedTwice {
	readonly pairs: number;
	/** The newest pair: the processor's, the backend's. */
	readonly transactionIds: readonly [string, string];
}

/**
 * Two sales may be one payment if one comes from the processor and one from the backend, with the same customer, currency and amount
 * (with or without tax), recorded within an hour. Payments of a subscription are days apart, and one source has its own ids for each.
 */
export const SAME_PAYMENT_MS = HOUR_MS;
/** How long such a pair is shown. */
export const REPORTED_TWICE_MS = 7 * DAY_MS;
/** How many of the newest sales are compared. */
export const COMPARED_SALES = 200;
