import { hasMac, isTimely, signedBytes } from '../reading/signature.ts';

const SIGNATURES = 10;

export interface SignedDelivery {
	readonly payload: Uint8Array;
	readonly id: string;
	/** Seconds since 1970. */
	readonly timestamp: string;
	/** `v1,<base64>`, separated by spaces. */
	readonly signature: string;
}

/**
 * Whether one of the secrets signed a delivery as https://www.standardwebhooks.com defines it. False if its time is more than 300 s from
 * `now` (ms).
 */
export async function isSigned(delivery: SignedDelivery, secrets: readonly string[], now: number): Promise<boolean> {
	const { payload, id, timestamp, signature } = delivery;
	if (!isTimely(timestamp, now)) return false;
	const signed = signedBytes(`${id}.${timestamp}.`, payload);
	const macs = signature
		.split(' ', SIGNATURES)
		.filter((one) => one.startsWith('v1,'))
		.map((one) => bytesOf(one.slice('v1,'.length)));
	for (const secret of secrets) if (await hasMac(signed, macs, bytesOf(secret.replace(/^whsec_/, '')))) return true;
	return false;
}

/** Empty for invalid base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
	try {
		return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
	} catch {
		return new Uint8Array();
	}
}
