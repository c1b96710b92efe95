import { hasMac, instantOf, isTimely, signedBytes } from '../reading/signature.ts';

const HEX_SHA256 = /^[0-9a-f]{64}$/;

/**
 * The secret that signed a body. `Paddle-Signature` is `ts=1698796800;h1=<hex of an HMAC-SHA256>`, with several h1 during a rotation.
 * Undefined for a wrong signature, or a time more than 300 s from `now` (ms), because a slow network exceeds the 5 s of Paddle's SDK.
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

/** In ms. */
export function signedAt(header: string | undefined): number | undefined {
	return header === undefined ? undefined : instantOf(parseHeader(header)?.time);
}

interface Signature {
	/** As sent, because it is part of the signed bytes. */
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
