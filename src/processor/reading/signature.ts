/** In either direction, because an old delivery may be a replay. */
export const TOLERANCE_SECONDS = 300;

/** In ms; undefined if it is invalid. */
export function instantOf(seconds: string | undefined): number | undefined {
	return seconds !== undefined && /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}

/** `now` is in ms. */
export function isTimely(seconds: string, now: number): boolean {
	const instant = instantOf(seconds);
	return instant !== undefined && Math.abs(now - instant) <= TOLERANCE_SECONDS * 1_000;
}

export function signedBytes(ahead: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
	const head = new TextEncoder().encode(ahead);
	const whole = new Uint8Array(head.length + body.length);
	whole.set(head);
	whole.set(body, head.length);
	return whole;
}

/** False for an empty key. */
export async function hasMac(signed: Uint8Array<ArrayBuffer>, macs: readonly Uint8Array<ArrayBuffer>[], key: Uint8Array): Promise<boolean> {
	if (key.length === 0) return false;
	const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
	for (const mac of macs) if (await crypto.subtle.verify('HMAC', imported, mac, signed)) return true;
	return false;
}
