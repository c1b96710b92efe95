import { scheduler } from 'node:timers/promises';
import { outside } from '../outside.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const local = globalThis.fetch;

/** Only requests to servers that a test has started leave the process. test/support/outside.ts answers all others. */
async function withoutNetwork(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
	const request = new Request(input, init);
	if (LOOPBACK.has(new URL(request.url).hostname)) return local(input, init);
	const aborted = new Promise<never>((_, reject) => {
		request.signal.addEventListener('abort', () => reject(request.signal.reason));
	});
	return Promise.race([outside(request), aborted]);
}

/** Also installs globals that workerd has. */
export function closeNetwork(): void {
	Object.assign(globalThis, { fetch: withoutNetwork, scheduler });
}
