import { hasMac, instantOf, isTimely, signedBytes } from '../reading/signature.ts';

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/**
 * The secret that signed a body; there are several during a rotation, and the sandbox has its own. The header `Paddle-Signature` is
 * `ts=1698796800;h1=<hex of an HMAC-SHA256>`, with several h1 while Paddle rotates a secret. Undefined for a wrong or missing signature, or
 * a time more than 300 s from `now` (ms); Paddle's own SDK allows 5 s, which a slow network exceeds.
 */
export async function signerOf<Signer extends { readonly secret: string }>(
	body: Uint8Array,
	header: string | undefined,
	signers: readonly Signer[],
	now: number,
): Promise<Signer | undefined> {
	const signature = header === undefined ? undefined : parseHeader(header);
	if (!signature || !isTimely(signature.time, now)) return undefined;
	const signed = signedBytes(`${signature.time}:`, body);
	for (const signer of signers) if (await hasMac(signed, signature.macs, new TextEncoder().encode(signer.secret))) return signer;
	return undefined;
}

/** The signing time in the header, in ms. */
export function signedAt(header: string | undefined): number | undefined {
	return header === undefined ? undefined : instantOf(parseHeader(header)?.time);
}

interface Signature {
	/** Text as sent, because it is part of the signed bytes. */
	readonly time: string;
	readonly macs: readonly Uint8Array<ArrayBuffer>[];
}

function parseHeader(header: string): Signature | undefined {
	const parts = header.split(';').map((part) => part.trim());
	const valuesOf = (key: string) => parts.filter((part) => part.startsWith(`${key}=`)).map((part) => part.slice(key.length + 1));
	const [time, ...others] = valuesOf('ts');
	if (time === undefined || others.length > 0) return undefined;
	return { time, macs: valuesOf('h1').flatMap((mac) => (HEX_SHA256.test(mac) ? [bytesOf(mac)] : [])) };
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
