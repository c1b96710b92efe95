import { scheduler } from 'node:timers/promises';
import { outside } from '../outside.ts';

// workerd has it as a global.
Object.assign(globalThis, { scheduler });

const local = globalThis.fetch;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Nothing leaves the machine: only servers that a test has started on it are really asked. The rest is test/support/outside.ts. */
globalThis.fetch = async (input, init) => {
	const request = new Request(input, init);
	if (LOOPBACK.has(new URL(request.url).hostname)) return local(request);
	const aborted = new Promise<never>((_, reject) => {
		request.signal.addEventListener('abort', () => reject(request.signal.reason));
	});
	return Promise.race([outside(request), aborted]);
};
