import { DAY_MS, HOUR_MS } from '../calendar.ts';

// Problems between a program and its processor that no single event reveals.

/** An event type that the processor does not seem to send, judging by other events. */
export interface MissingEvent {
	readonly type: string;
	/** What arrived instead and what goes wrong, worded as the end of a sentence. */
	readonly because: string;
	/** Whether it is missing in test mode, which has a separate endpoint. */
	readonly isTest: boolean;
}

/** An event type that arrived recently. */
export interface Arrival {
	readonly type: string;
	readonly isTest: boolean;
	/** Whether the events that accompany it would have arrived by now. */
	readonly isEvidence: boolean;
}

/**
 * How many of the newest events are read. Only the newest 200 count as evidence, so that the events that accompany them are among those
 * read.
 */
export const ARRIVALS = 300;
export const EVIDENCE = 200;

/** Sales that look like one payment, reported by both the processor and the backend. */
export interface ReportedTwice {
	readonly pairs: number;
	/** The newest pair: the processor's id, then the backend's. */
	readonly transactionIds: readonly [string, string];
}

/**
 * Two sales may be one payment if the processor reported one and the backend the other within an hour, with the same customer, currency and
 * amount (with or without tax). Payments of a subscription are days apart, and one source uses one id per payment.
 */
export const SAME_PAYMENT_MS = HOUR_MS;
/** How long such a pair is shown. */
export const REPORTED_TWICE_MS = 7 * DAY_MS;
/** How many of the newest sales are compared. */
export const COMPARED_SALES = 200;
