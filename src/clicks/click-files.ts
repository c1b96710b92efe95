import type { Bucket } from '../context.ts';
import type { affiliateClickEvents } from '../db/schema/clicks.ts';
import { isErasedName } from '../domain/attribution/customer-key.ts';

// Retired clicks in R2: at most 10,000 clicks of a program and day per file, one per line as JSON, compressed by gzip. Files can be found
// by name, without the database: clicks/<program>/<day>/<number>.ndjson.gz

export type RetiredClick = typeof affiliateClickEvents.$inferSelect & {
	/**
	 * The keyed hash of the former id of a click that was erased in its file. Null if it was erased in the table, which has the hash. Missing
	 * if an earlier version erased it.
	 */
	readonly erasedHash?: string | null;
};

export interface ClickDay {
	readonly programId: number;
	/** In the program's time zone. */
	readonly day: string;
}

/** `from` and `until` are the times of the first and last click, ms. */
export interface ClickFile {
	readonly key: string;
	/** Starts at 0, in the order of writing. */
	readonly number: number;
	readonly from: number;
	readonly until: number;
}

/** Null if there is no such file. */
export async function versionOfFile(bucket: Bucket, day: ClickDay, number: number): Promise<string | null> {
	const { objects } = await bucket.list({ prefix: keyOf(day, number) });
	return objects[0]?.etag ?? null;
}

/**
 * Writes a file of clicks sorted by time, or replaces the given version, which an earlier attempt left. Returns its size in bytes, or
 * undefined if somebody else wrote the file in the meantime.
 */
export async function writeClickFile(
	bucket: Bucket,
	day: ClickDay,
	{ number, version, clicks }: { readonly number: number; readonly version: string | null; readonly clicks: readonly RetiredClick[] },
): Promise<number | undefined> {
	const body = await packed(clicks.map((click) => (isErasedName(click.clickId) ? { ...click, erasedHash: null } : click)));
	const onlyIf = version === null ? { etagDoesNotMatch: '*' } : { etagMatches: version };
	const written = await bucket.put(keyOf(day, number), body, { customMetadata: rangeOf(clicks), onlyIf });
	return written ? body.byteLength : undefined;
}

/** Lists the bucket in order, because a restored database has forgotten files. */
export async function listClickFiles(bucket: Bucket, { programId, day }: ClickDay): Promise<ClickFile[]> {
	const files: ClickFile[] = [];
	for (let cursor: string | undefined, isMore = true; isMore;) {
		const page = await bucket.list({
			prefix: prefixOf(programId, day),
			include: ['customMetadata'],
			...(cursor !== undefined && { cursor }),
		});
		files.push(...page.objects.map(({ key, customMetadata }) => ({ key, number: numberOf(key), ...parsedRange(customMetadata) })));
		isMore = page.truncated;
		cursor = page.truncated ? page.cursor : undefined;
	}
	return files;
}

/** Undefined if there is no such file. */
export async function readClickFile(bucket: Bucket, key: string): Promise<RetiredClick[] | undefined> {
	const object = await bucket.get(key);
	return object ? unpacked(object) : undefined;
}

export function readNumberedFile(bucket: Bucket, day: ClickDay, number: number): Promise<RetiredClick[] | undefined> {
	return readClickFile(bucket, keyOf(day, number));
}

/** Replaces the clicks that `change` changes. Starts over if somebody else has replaced the file in the meantime. */
export async function rewriteClickFile(bucket: Bucket, key: string, change: (click: RetiredClick) => RetiredClick): Promise<void> {
	for (;;) {
		const object = await bucket.get(key);
		if (!object) return;
		const clicks = await unpacked(object);
		const changed = clicks.map(change);
		if (changed.every((click, index) => click === clicks[index])) return;
		const options = { customMetadata: rangeOf(changed), onlyIf: { etagMatches: object.etag } };
		if (await bucket.put(key, await packed(changed), options)) return;
	}
}

/** Names sort in the order of their numbers. */
function keyOf({ programId, day }: ClickDay, number: number): string {
	return `${prefixOf(programId, day)}${String(number).padStart(6, '0')}.ndjson.gz`;
}

function numberOf(key: string): number {
	return Number.parseInt(key.slice(key.lastIndexOf('/') + 1), 10);
}

function prefixOf(programId: number, day: string): string {
	return `clicks/${programId}/${day}/`;
}

function rangeOf(clicks: readonly RetiredClick[]): Record<string, string> {
	return { version: '1', from: String(clicks[0]?.clickedAt ?? 0), until: String(clicks.at(-1)?.clickedAt ?? 0) };
}

function parsedRange(metadata: Record<string, string> | undefined): Pick<ClickFile, 'from' | 'until'> {
	return { from: Number(metadata?.['from']), until: Number(metadata?.['until']) };
}

/** R2 must know the length before it stores anything. */
async function packed(clicks: readonly RetiredClick[]): Promise<ArrayBuffer> {
	const text = clicks.map((click) => `${JSON.stringify(click)}\n`).join('');
	const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
	return new Response(stream).arrayBuffer();
}

async function unpacked(object: R2ObjectBody): Promise<RetiredClick[]> {
	const stream = new Blob([await object.arrayBuffer()]).stream().pipeThrough(new DecompressionStream('gzip'));
	const text = await new Response(stream).text();
	// The service wrote these lines itself.
	return text.split('\n').flatMap((line): RetiredClick[] => (line === '' ? [] : [JSON.parse(line)]));
}
