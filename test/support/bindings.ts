import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { AppEnv } from '../../src/http/app-env.ts';
import { app } from '../../src/http/app.ts';
import { type Tracked, trackedOf } from './funnel.ts';
import type { Call } from './world.ts';

/** Replaces bindings of the tests' Worker, and waits for deferred work. */
export async function callWith(
	bindings: Partial<AppEnv['Bindings']>,
	path: string,
	{ body, method = body === undefined ? 'GET' : 'POST', headers = {}, token }: Call = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }> {
	const init: RequestInit = { method, headers: { ...headers, ...(token === undefined ? {} : bearer(token)) } };
	if (body !== undefined) init.body = JSON.stringify(body);
	const execution = createExecutionContext();
	const response = await app.fetch(new Request(`http://service.test${path}`, init), { ...env, ...bindings }, execution);
	const text = await response.text();
	await waitOnExecutionContext(execution);
	return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

/** LOW_LIMIT uses the real clock, so calls that should exceed it must be within one window. */
export async function withinOneWindow<Result>(work: () => Promise<Result>): Promise<Result> {
	const left = 60_000 - (Date.now() % 60_000);
	if (left < 3_000) await new Promise((resolve) => setTimeout(resolve, left + 50));
	return work();
}

export async function trackWith(
	bindings: Partial<AppEnv['Bindings']>,
	route: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Tracked> {
	const request = new Request(`http://service.test/api/v1/track/${route}`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	const execution = createExecutionContext();
	const response = await app.fetch(request, { ...env, ...bindings }, execution);
	await waitOnExecutionContext(execution);
	return trackedOf(`/api/v1/track/${route}`, response);
}

export function bearer(key: string): Record<string, string> {
	return { Authorization: `Bearer ${key}` };
}

/** Always fails, as in an outage. */
export function anOutage<Binding extends object>(binding: Binding): Binding {
	return new Proxy(binding, {
		get() {
			return () => {
				throw new Error('The platform is out of order');
			};
		},
	});
}
