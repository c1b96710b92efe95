/** The URL parameter that carries a click, and the first-party cookie that keeps it (contract, section 1). */
export const CLICK = 'tracker_click_id';

/** A visitor's click, as the page stores it. */
export interface Click {
	readonly id: string;
	/** The `aff` value of the click's link. */
	readonly partner: string;
}

/** 2026-01-01 UTC, and 2^13: how a click id encodes its time. A test compares them with src/domain/attribution/click-id.ts. */
const EPOCH_MS = 1_767_225_600_000;
const BELOW_THE_TIME = 8192;

/** Whether it looks like a click id. Only the service can verify it. */
export function isClickId(text: unknown): text is string {
	return typeof text === 'string' && /^cust_\d{1,16}_\d{1,16}$/.test(text);
}

/** The time encoded in the id, in ms since the epoch. */
export function clickedAt(clickId: string): number {
	return Number(clickId.split('_')[1]) / BELOW_THE_TIME + EPOCH_MS;
}
