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

export interface LocalR2 {
	readonly bucket: Awaited<ReturnType<Miniflare['getR2Bucket']>>;
	readonly stop: () => Promise<void>;
}

/** workerd's own R2 without a Worker: a bucket that another server has filled in a folder. */
export async function openLocalR2(bucket: string, folder: string): Promise<LocalR2> {
	const miniflare = startMiniflare({
		name: 'r2',
		modules: true,
		script: 'export default { fetch: () => new Response() }',
		compatibilityDate: '2026-10-23',
		r2Buckets: { BUCKET: bucket },
		resourcePersistencePath: folder,
	});
	return { bucket: await miniflare.getR2Bucket('BUCKET'), stop: () => miniflare.dispose() };
}
