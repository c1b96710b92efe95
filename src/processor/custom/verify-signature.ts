/** How far the signed time may be from ours: what is older may be a replay. */
const TOLERANCE_SECONDS = 300;
/** More signatures than that nobody makes of a delivery. */
const SIGNATURES = 10;

/** A delivery by Standard Webhooks, with the headers that it takes. */
export interface SignedDelivery {
	readonly payload: Uint8Array;
	readonly id: string;
	/** Seconds since 1970, as text. */
	readonly timestamp: string;
	/** `v1,<base64>`, several of them with blanks between. */
	readonly signature: string;
}

/**
 * Whether one of the secrets (`whsec_` and base64; several are in use while one is rolled) signed a delivery, by
 * https://www.standardwebhooks.com: HMAC-SHA256 of id, time and body. No where its time is more than 300 s from now. `now` is ms.
 */
export async function isSigned(delivery: SignedDelivery, secrets: readonly string[], now: number): Promise<boolean> {
	const { payload, id, timestamp, signature } = delivery;
	if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
	const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), payload);
	const macs = signature
		.split(' ', SIGNATURES)
		.filter((one) => one.startsWith('v1,'))
		.map((one) => bytesOf(one.slice('v1,'.length)));
	for (const secret of secrets) {
		const key = await keyOf(secret);
		for (const mac of macs) if (key && mac && (await crypto.subtle.verify('HMAC', key, mac, signed))) return true;
	}
	return false;
}

async function keyOf(secret: string): Promise<CryptoKey | undefined> {
	const raw = bytesOf(secret.replace(/^whsec_/, ''));
	return raw && crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Undefined for what is no base64, or empty. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
	try {
		const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
		return bytes.length > 0 ? bytes : undefined;
	} catch {
		return undefined;
	}
}

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(one.length + other.length);
	whole.set(one);
	whole.set(other, one.length);
	return whole;
}
