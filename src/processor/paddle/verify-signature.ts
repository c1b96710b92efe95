/** How far the signed time may be from ours: what is older may be a replay. Paddle's own SDK allows 5 s, which a slow network exceeds. */
const TOLERANCE_SECONDS = 300;

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/**
 * Which of the secrets signed a body (several are in use while one is rolled, and a sandbox has its own), by the header `Paddle-Signature`,
 * `ts=1698796800;h1=<hex of an HMAC-SHA256>`: while Paddle rolls one itself there are several h1. Undefined for a wrong or missing
 * signature, or one whose time is more than 300 s from now. `now` is ms.
 */
export async function signerOf<Signer extends { readonly secret: string }>(
	body: Uint8Array,
	header: string | undefined,
	signers: readonly Signer[],
	now: number,
): Promise<Signer | undefined> {
	const signature = header === undefined ? undefined : parseHeader(header);
	if (!signature || Math.abs(now / 1000 - signature.seconds) > TOLERANCE_SECONDS) return undefined;
	const signed = concatenated(new TextEncoder().encode(`${signature.time}:`), body);
	for (const signer of signers) {
		const mac = signer.secret === '' ? undefined : await macOf(signed, signer.secret);
		if (mac !== undefined && signature.macs.some((told) => isSame(told, mac))) return signer;
	}
	return undefined;
}

interface Signature {
	/** As it was written, and signed. */
	readonly time: string;
	readonly seconds: number;
	readonly macs: readonly string[];
}

function parseHeader(header: string): Signature | undefined {
	const parts = header.split(';').map((part) => part.trim());
	const valuesOf = (key: string) => parts.filter((part) => part.startsWith(`${key}=`)).map((part) => part.slice(key.length + 1));
	const [time, ...others] = valuesOf('ts');
	if (time === undefined || others.length > 0 || !/^\d{1,12}$/.test(time)) return undefined;
	return { time, seconds: Number(time), macs: valuesOf('h1').filter((mac) => HEX_SHA256.test(mac)) };
}

async function macOf(signed: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
	const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
	const mac = await crypto.subtle.sign('HMAC', key, signed);
	return Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** In the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
	let difference = one.length ^ other.length;
	for (let index = 0; index < other.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
	return difference === 0;
}

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
	const whole = new Uint8Array(one.length + other.length);
	whole.set(one);
	whole.set(other, one.length);
	return whole;
}
