/** The part of R2 that the service uses (src/clicks/click-files.ts), in memory. */
export function openBucket(): R2Bucket & { readonly texts: () => Promise<string[]>; readonly objects: () => readonly StoredObject[] } {
	const objects = new Map<string, Stored>();
	let writes = 0;
	const bucket = {
		get: async (key: string) => bodyOf(key, objects.get(key)),
		put: async (key: string, body: ArrayBuffer, { customMetadata = {}, onlyIf }: Options = {}) => {
			if (onlyIf && !holds(onlyIf, objects.get(key)?.etag)) return null;
			objects.set(key, { etag: String((writes += 1)), body: body.slice(0), customMetadata });
			return { key };
		},
		list: async ({ prefix }: { readonly prefix: string }) => {
			const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
			const found = keys.map((key) => ({ key, etag: objects.get(key)?.etag, customMetadata: objects.get(key)?.customMetadata }));
			return { objects: found, truncated: false };
		},
		objects: () => [...objects].map(([key, { etag, body }]) => ({ key, etag, body })),
		/** What all files say, uncompressed. */
		texts: () =>
			Promise.all(
				[...objects.values()].map(({ body }) =>
					new Response(new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip'))).text(),
				),
			),
	};
	// Only what the service uses of R2's interface.
	return bucket as unknown as ReturnType<typeof openBucket>;
}

export interface StoredObject {
	readonly key: string;
	readonly etag: string;
	readonly body: ArrayBuffer;
}

interface Stored {
	readonly etag: string;
	readonly body: ArrayBuffer;
	readonly customMetadata: Record<string, string>;
}

interface Options {
	readonly customMetadata?: Record<string, string>;
	readonly onlyIf?: Condition;
}

type Condition = { readonly etagMatches: string } | { readonly etagDoesNotMatch: '*' };

function holds(condition: Condition, etag: string | undefined): boolean {
	return 'etagMatches' in condition ? etag === condition.etagMatches : etag === undefined;
}

function bodyOf(key: string, stored: Stored | undefined) {
	return stored ? { key, etag: stored.etag, customMetadata: stored.customMetadata, arrayBuffer: async () => stored.body.slice(0) } : null;
}
