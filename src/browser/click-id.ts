/** The parameter that hands a click over, and the first-party cookie that keeps it (contract, section 1). */
export const CLICK = 'tracker_click_id';

/** A visitor's click, as the page knows it. */
export interface Click {
	readonly id: string;
	/** The `aff` value that it came by. */
	readonly partner: string;
}

/** 2026-01-01, UTC, and 2^13: where the time lies in a click id; see src/domain/attribution/click-id.ts, to which a test holds it. */
const EPOCH_MS = 1_767_225_600_000;
const BELOW_THE_TIME = 8192;

/** Whether it has the form of a click id; only the service can tell whether it is one. */
export function isClickId(text: unknown): text is string {
	return typeof text === 'string' && /^cust_\d{1,16}_\d{1,16}$/.test(text);
}

/** When the click happened, as its id states it, ms since the epoch. */
export function clickedAt(clickId: string): number {
	return Number(clickId.split('_')[1]) / BELOW_THE_TIME + EPOCH_MS;
}
