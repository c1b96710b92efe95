import { DEPTH_LIMIT, isTooDeep } from '../domain/json-depth.ts';
import { invalid, Rejection } from '../domain/rejection.ts';

const MIB = 1024 * 1024;
/** Decision 30. */
export const BODY_LIMIT_BYTES = 64 * 1024;
const DROP_LIMIT_BYTES = 16 * MIB;

/** Shared, because creating a decoder costs more than decoding a body. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Ignores the Content-Type. Rejects with 413 above the limit, with 400 if the JSON is invalid or has more than 32 levels. */
export async function readJson(request: Request): Promise<unknown> {
	const text = await readText(request, BODY_LIMIT_BYTES);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw invalid('Request body must be valid JSON');
	}
	if (isTooDeep(value)) throw invalid(`Request body must not be nested deeper than ${DEPTH_LIMIT} levels`);
	return value;
}

async function readText(request: Request, limitBytes: number): Promise<string> {
	const bytes = await readBytes(request, limitBytes);
	try {
		return utf8.decode(bytes);
	} catch {
		throw invalid('Request body must be UTF-8');
	}
}

/** Rejects with 413 above the limit. */
export async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
	// The length is usually known and small. Reading it in one piece costs a third of reading a stream.
	const isSmall = Number(request.headers.get('Content-Length') ?? Infinity) <= limitBytes;
	return isSmall ? new Uint8Array(await request.arrayBuffer()) : readStream(request, limitBytes);
}

/** Counts the bytes as they arrive and ignores Content-Length. */
async function readStream(request: Request, limitBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	// Excess is read and dropped: a caller that is still sending would lose the connection instead of reading a 413.
	for await (const chunk of request.body ?? []) {
		length += chunk.byteLength;
		if (length <= limitBytes) chunks.push(chunk);
		if (length > DROP_LIMIT_BYTES) break;
	}
	if (length > limitBytes)
		throw new Rejection('body_too_large', { limit: limitBytes < MIB ? `${limitBytes / 1024} KiB` : `${limitBytes / MIB} MiB` });
	const bytes = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.byteLength;
	}
	return bytes;
}
