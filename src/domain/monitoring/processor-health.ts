import { DAY_MS, HOUR_MS } from '../calendar.ts';

// What may be wrong between a program and its payment processor though no single event or call is refused.

/** A type of event that the processor is not set to send, and which others show that it should. */
export interface MissingEvent {
	readonly type: string;
	/** What came in its stead, and what goes wrong: the end of a sentence. */
	readonly because: string;
	/** Of the processor's test mode, which has a webhook endpoint of its own. */
	readonly isTest: boolean;
}

/** A type of event that came lately. */
export interface Arrival {
	readonly type: string;
	readonly isTest: boolean;
	/** Whether what belongs to it would have come by now and be seen. */
	readonly isEvidence: boolean;
}

/** So many of a program's newest events are looked at for what comes; as evidence fewer: what belongs to these is among the former. */
export const ARRIVALS = 300;
export const EVIDENCE = 200;

/** Sales that look like one payment, which the processor and the backend both reported. */
export interface ReportedTwice {
	readonly pairs: number;
	/** Of the newest pair: the processor's, the backend's. */
	readonly transactionIds: readonly [string, string];
}

/**
 * A sale that the processor told and one that the backend reported are possibly one payment where customer and currency are the same, the
 * amount too, be it with the tax that was charged, and both were recorded within the hour. So the payments of a subscription, which
 * come days apart, are none; nor are two that one source told, which has ids of its own for each.
 */
export const SAME_PAYMENT_MS = HOUR_MS;
/** How long such a pair is told of. */
export const REPORTED_TWICE_MS = 7 * DAY_MS;
/** So many of the newest sales are looked at. */
export const COMPARED_SALES = 200;
