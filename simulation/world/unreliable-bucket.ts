import type { Context } from '../../src/context.ts';
import type { Gate } from '../../testing/d1/look-alike.ts';
import type { SimulatedBucket } from './stored-clicks.ts';

/** A bucket whose files survive crashes, and whose calls are as unreliable as those of D1. */
export function unreliable(bucket: SimulatedBucket, gate: Gate): NonNullable<Context['clickFiles']> {
	const enter = (name: string, run: () => unknown) => gate({ statements: [name], isWrite: name === 'put', run });
	const calls: unknown = {
		get: (key: string) => enter('get', () => bucket.get(key)),
		put: (key: string, body: ArrayBuffer, options: R2PutOptions) => enter('put', () => bucket.put(key, body, options)),
		list: (options: R2ListOptions) => enter('list', () => bucket.list(options)),
	};
	// Only what the service uses of R2's interface.
	return calls as NonNullable<Context['clickFiles']>;
}
