import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { app } from '../../src/http/app.ts';
import type { ClickJob } from '../../src/job.ts';
import { holdingQueue } from '../../testing/queues.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export interface Followed {
	readonly status: number;
	readonly headers: Headers;
	readonly body: string;
	/** The redirect's target. */
	readonly location: URL | undefined;
	readonly cookies: string[];
	/** The clicks that were accepted. */
	readonly clicks: readonly ClickJob[];
}

/** Follows one redirect, as a browser does. The clicks stay in the queue. */
export async function follow(
	path: string,
	headers: Record<string, string> = {},
	{ host = 'service.test', method = 'GET', bindings = {} }: { host?: string; method?: string; bindings?: Partial<Env> } = {},
): Promise<Followed> {
	const CLICKS = holdingQueue<ClickJob>();
	const execution = createExecutionContext();
	const request = new Request(`https://${host}${path}`, { method, headers: { 'User-Agent': BROWSER, ...headers } });
	const response = await app.fetch(request, { ...env, CLICKS, ...bindings }, execution);
	await waitOnExecutionContext(execution);
	const location = response.headers.get('Location');
	return {
		status: response.status,
		headers: response.headers,
		body: await response.text(),
		location: location === null ? undefined : new URL(location),
		cookies: response.headers.getSetCookie(),
		clicks: CLICKS.held,
	};
}
