import { convertV4MiniflareOptions, Miniflare } from 'miniflare';

export const LOOPBACK = { host: '127.0.0.1', port: 0 } as const;

/** A local workerd without network calls or telemetry. */
export function startMiniflare(options: Parameters<typeof convertV4MiniflareOptions>[0]): Miniflare {
	return new Miniflare(convertV4MiniflareOptions({ ...LOOPBACK, cf: false, telemetry: { enabled: false }, ...options }));
}

export interface LocalD1 {
	readonly db: D1Database;
	readonly stop: () => Promise<void>;
}

/** workerd's own D1 without a Worker, in memory or in a folder. */
export async function openLocalD1(folder?: string): Promise<LocalD1> {
	const miniflare = startMiniflare({
		name: 'd1',
		modules: true,
		script: 'export default { fetch: () => new Response() }',
		compatibilityDate: '2026-10-23',
		d1Databases: { DB: 'd1' },
		...(folder === undefined ? {} : { resourcePersistencePath: folder }),
	});
	return { db: await miniflare.getD1Database('DB'), stop: () => miniflare.dispose() };
}

/** workerd's own R2 without a Worker: a bucket that another server has filled in a folder. */
export async function openLocalR2(
	bucket: string,
	folder: string,
): Promise<{ readonly bucket: R2Bucket; readonly stop: () => Promise<void> }> {
	const miniflare = startMiniflare({
		name: 'r2',
		modules: true,
		script: 'export default { fetch: () => new Response() }',
		compatibilityDate: '2026-10-23',
		r2Buckets: { BUCKET: bucket },
		resourcePersistencePath: folder,
	});
	// The proxy has the interface of the binding.
	const opened: unknown = await miniflare.getR2Bucket('BUCKET');
	return { bucket: opened as R2Bucket, stop: () => miniflare.dispose() };
}
