import { createHash, createHmac, KeyObject, webcrypto } from 'node:crypto';

const { subtle } = webcrypto;
const digest = subtle.digest.bind(subtle);
const sign = subtle.sign.bind(subtle);

/**
 * Node gives each of WebCrypto's hashes to another thread, which takes longer than the hash. Every request needs some, so this computes
 * SHA-256 at once.
 */
export function hashAtOnce(): void {
	Object.assign(subtle, { digest: digestAtOnce, sign: signAtOnce });
}

async function digestAtOnce(...[algorithm, data]: Parameters<typeof digest>): Promise<ArrayBuffer> {
	if (algorithm !== 'SHA-256') return digest(algorithm, data);
	return bufferOf(createHash('sha256').update(bytesOf(data)).digest());
}

async function signAtOnce(...[algorithm, key, data]: Parameters<typeof sign>): Promise<ArrayBuffer> {
	const { hash } = { hash: { name: '' }, ...key.algorithm };
	if (algorithm !== 'HMAC' || hash.name !== 'SHA-256') return sign(algorithm, key, data);
	return bufferOf(createHmac('sha256', KeyObject.from(key)).update(bytesOf(data)).digest());
}

function bytesOf(data: BufferSource): Uint8Array {
	return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
}

function bufferOf(bytes: Buffer): ArrayBuffer {
	return new Uint8Array(bytes).buffer;
}
