import { DAY_MS, HOUR_MS } from '../calendar.ts';

// Problems between a program and its processor that no single event reveals.

export interface MissingEvent {
	readonly type: string;
	/** Worded to end a sentence. */
	readonly because: string;
	/** Test mode has a separate endpoint. */
	readonly isTest: boolean;
}

export interface Arrival {
	readonly type: string;
	readonly isTest: boolean;
	/** Whether the events that accompany it would have arrived by now. */
	readonly isEvidence: boolean;
}

/** Only the newest 200 count as evidence, so that the events that belong to them are read too. */
export const ARRIVALS = 300;
export const EVIDENCE = 200;

export interface ReportedTwice {
	readonly pairs: number;
	/** The processor's id, then the backend's. */
	readonly transactionIds: readonly [string, string];
}

/** A processor and a backend that report the same customer, currency and amount within an hour probably mean one payment. */
export const SAME_PAYMENT_MS = HOUR_MS;
export const REPORTED_TWICE_MS = 7 * DAY_MS;
export const COMPARED_SALES = 200;
