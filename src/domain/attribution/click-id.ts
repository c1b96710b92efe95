/**
 * A click id is `cust_<first>_<second>`: two canonical decimals, each below 2^53, that carry all that attribution needs
 * (contract, section 2; decision 1). Bit budget, most significant first:
 *
 *   first  = 40 bits ms since 2026-01-01 (until 2060) | 12 bits nonce | 1 bit test
 *   second = 24 bits referral link id (16.7 million)  | 29 bits MAC over all the others
 */
export interface Click {
	readonly referralLinkId: number;
	/** ms since the epoch, UTC. */
	readonly clickedAt: number;
	readonly nonce: number;
	readonly isTest: boolean;
}

/** A parsed click id whose MAC is not verified yet. */
export interface ClaimedClick extends Click {
	readonly mac: number;
}

export const NONCE_LIMIT = 2 ** 12;
const EPOCH_MS = Date.UTC(2026, 0, 1);
const TIME_LIMIT = 2 ** 40;
const LINK_LIMIT = 2 ** 24;
const MAC_LIMIT = 2 ** 29;
const FORM = /^cust_(0|[1-9]\d{0,15})_(0|[1-9]\d{0,15})$/;

/** Formats a click id. Throws RangeError if a part does not fit its bits. */
export function formatClickId(click: Click, mac: number): string {
	const time = click.clickedAt - EPOCH_MS;
	if (!(time >= 0 && time < TIME_LIMIT)) throw new RangeError('A click id cannot hold this time');
	if (!(click.referralLinkId > 0 && click.referralLinkId < LINK_LIMIT)) throw new RangeError('A click id cannot hold this link id');
	const first = (time * NONCE_LIMIT + click.nonce) * 2 + (click.isTest ? 1 : 0);
	const second = click.referralLinkId * MAC_LIMIT + mac;
	return `cust_${first}_${second}`;
}

/** The nearest instant that a click id can hold. */
export function clickTimeOf(instant: number): number {
	return Math.min(Math.max(instant, EPOCH_MS), EPOCH_MS + TIME_LIMIT - 1);
}

/** Undefined if the text is not a click id. */
export function parseClickId(clickId: string): ClaimedClick | undefined {
	const match = FORM.exec(clickId);
	if (!match) return undefined;
	const first = Number(match[1]);
	const second = Number(match[2]);
	if (!Number.isSafeInteger(first) || !Number.isSafeInteger(second)) return undefined;
	const stamp = Math.floor(first / 2);
	return {
		isTest: first % 2 === 1,
		nonce: stamp % NONCE_LIMIT,
		clickedAt: Math.floor(stamp / NONCE_LIMIT) + EPOCH_MS,
		referralLinkId: Math.floor(second / MAC_LIMIT),
		mac: second % MAC_LIMIT,
	};
}

export function signedText(click: Click): string {
	return `${click.referralLinkId}.${click.clickedAt}.${click.nonce}.${click.isTest ? 1 : 0}`;
}

export function truncateMac(mac: Uint8Array): number {
	const [a = 0, b = 0, c = 0, d = 0] = mac;
	return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) % MAC_LIMIT;
}
