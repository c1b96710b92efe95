import { retireClicks } from '../src/clicks/retire-clicks.ts';
import type { Context } from '../src/context.ts';

// The crash test retires clicks of the day as if months had passed (crash/worker.ts), in small files and slowly, so that kills meet every
// gap between a file, the note of its day and the deletion of its rows.

/** The name of the cron run that only retires clicks. */
export const RETIRE_CRON = 'retire clicks';
/** Logged if a file is replaced, because a kill has kept an earlier retirement from deleting its rows. */
export const REPLACED = 'a file of clicks is replaced';

const LIMITS = { programs: 3, slices: 2, clicksPerFile: 5 } as const;
const GAP_MS = 300;

export function retireSlowly(ctx: Context): Promise<number> {
	return retireClicks(ctx, LIMITS);
}

type Put = (key: string, body: ArrayBuffer, options: R2PutOptions) => Promise<unknown>;

/** Answers some time after each file is stored. */
export function slowBucket(bucket: R2Bucket): R2Bucket {
	return withPut(bucket, async (key, body, options) => {
		if (options.onlyIf && 'etagMatches' in options.onlyIf) console.warn(`${REPLACED}: ${key}`);
		const written = await bucket.put(key, body, options);
		await pause(GAP_MS);
		return written;
	});
}

/** Answers before the file is stored, so the rows are deleted first. */
export function earlyBucket(bucket: R2Bucket, execution: ExecutionContext): R2Bucket {
	return withPut(bucket, async (key, body, options) => {
		execution.waitUntil(pause(GAP_MS).then(() => bucket.put(key, body, options)));
		return { key };
	});
}

function withPut(bucket: R2Bucket, put: Put): R2Bucket {
	return new Proxy(bucket, {
		get(target, name) {
			if (name === 'put') return put;
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
