import { AsyncLocalStorage } from 'node:async_hooks';
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Random } from '../../testing/random.ts';

// Makes the platform deterministic: randomness comes from the history's seed, and WebCrypto and compression respond in call order.

export interface Traces {
	/** The op ids that a running request drew. */
	readonly opIds: string[];
}

let random = new Random(0);
const running = new AsyncLocalStorage<Traces>();

export function seedPlatform(seed: number): void {
	random = new Random(seed);
}

/** Records the op ids that the request draws. */
export function runTraced<Result>(traces: Traces, verb: () => Promise<Result>): Promise<Result> {
	return running.run(traces, verb);
}

function randomUUID(): string {
	const hex = Array.from({ length: 4 }, () => random.bits().toString(16).padStart(8, '0')).join('');
	const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
	running.getStore()?.opIds.push(uuid);
	return uuid;
}

function getRandomValues<Values extends ArrayBufferView>(values: Values): Values {
	const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
	for (let index = 0; index < bytes.length; index += 1) bytes[index] = random.below(256);
	return values;
}

const subtle = {
	importKey: async (_format: string, key: Uint8Array) => key,
	sign: async (_algorithm: string, key: Uint8Array, data: Uint8Array) => bufferOf(createHmac('sha256', key).update(data).digest()),
	verify: async (_algorithm: string, key: Uint8Array, mac: Uint8Array, data: Uint8Array) =>
		createHmac('sha256', key).update(data).digest().equals(mac),
	encrypt: async ({ iv }: { iv: Uint8Array }, key: Uint8Array, data: Uint8Array) => {
		const cipher = createCipheriv('aes-256-gcm', key, iv);
		return bufferOf(Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]));
	},
	decrypt: async ({ iv }: { iv: Uint8Array }, key: Uint8Array, data: Uint8Array) => {
		const decipher = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(data.subarray(-16));
		return bufferOf(Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()]));
	},
	digest: async (_algorithm: string, data: Uint8Array) => bufferOf(createHash('sha256').update(data).digest()),
};

function bufferOf(bytes: Uint8Array): ArrayBuffer {
	return new Uint8Array(bytes).buffer;
}

/** A transform of the whole text at its end, without the thread pool. */
function transformAtEnd(change: (whole: Uint8Array) => Uint8Array) {
	const pieces: Uint8Array[] = [];
	return new TransformStream<Uint8Array, Uint8Array>({
		transform: (piece) => void pieces.push(piece),
		flush: (controller) => controller.enqueue(new Uint8Array(change(Buffer.concat(pieces)))),
	});
}

/** Node's Blob reads its parts in its own time. */
class PlainBlob {
	readonly #bytes: Uint8Array;

	constructor(parts: readonly (string | ArrayBuffer)[]) {
		this.#bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
	}

	stream() {
		const bytes = new Uint8Array(this.#bytes);
		return new ReadableStream<Uint8Array>({
			start(controller) {
				controller.enqueue(bytes);
				controller.close();
			},
		});
	}
}

const streams = {
	Blob: PlainBlob,
	CompressionStream: function Compression() {
		return transformAtEnd(gzipSync);
	},
	DecompressionStream: function Decompression() {
		return transformAtEnd(gunzipSync);
	},
};
for (const [name, value] of Object.entries(streams)) Object.defineProperty(globalThis, name, { value });
Object.defineProperty(globalThis, 'crypto', { value: { randomUUID, getRandomValues, subtle } });
Math.random = () => random.bits() / 2 ** 32;
/** Timers fire at once, because the schedule decides when the next call runs. */
Object.defineProperty(globalThis, 'setTimeout', { value: (goOn: () => void) => queueMicrotask(goOn) });
