/** The URL parameter and the first-party cookie of a click (contract, section 1). */
export const CLICK = 'tracker_click_id';

export interface Click {
	readonly id: string;
	/** The `aff` value of the click's link. */
	readonly partner: string;
}

/** 2026-01-01 UTC, and 2^13: how a click id encodes its time. A test compares them with src/domain/attribution/click-id.ts. */
const EPOCH_MS = 1_767_225_600_000;
const BELOW_THE_TIME = 8192;

/** Only the service can verify a click id. */
export function isClickId(text: unknown): text is string {
	return typeof text === 'string' && /^cust_\d{1,16}_\d{1,16}$/.test(text);
}

/** Milliseconds since the epoch. */
export function clickedAt(clickId: string): number {
	return Number(clickId.split('_')[1]) / BELOW_THE_TIME + EPOCH_MS;
}
