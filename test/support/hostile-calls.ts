import { expect } from 'vitest';
import { expectConformance } from './conformance.ts';
import { ROUTES as ROUTES_OF_AREAS } from './routes.ts';

// Calls that no honest client makes.

export interface Route {
	readonly method: string;
	readonly path: string;
}

export const ROUTES: readonly Route[] = [
	...new Map(
		Object.values(ROUTES_OF_AREAS)
			.flat()
			.filter(({ method }) => method !== 'ALL')
			.map(({ method, path }) => [`${method} ${path}`, { method, path }]),
	).values(),
];

export function isTracking({ path }: Route): boolean {
	return /^\/api\/(v1\/track|tracking)\/(click|lead|sale|refund)$/.test(path);
}

/** The other routes are for people. */
function takesKey(route: Route): boolean {
	return isTracking(route) || route.path.startsWith('/api/v1/cli/');
}

/** Routes that anyone with a link, or on the program's public page, may call. */
export function isForAnybody({ path }: Route): boolean {
	return /^\/(api\/v1\/(invitations|public)|unsubscribe)\//.test(path);
}

/** These routes check only the signature: test/processor/receive-stripe-event.test.ts. */
export function isSigned({ path }: Route): boolean {
	return path.startsWith('/webhooks/');
}

/** They have a body and need a token. */
export const WRITES = ROUTES.filter(
	(route) =>
		['POST', 'PUT', 'PATCH'].includes(route.method) &&
		!/\/(sign-out|read|replay|redeliver|stop|verify|invitation|archive|restore|dismiss|test-alert|payout-details\/ask|:partnerId\/erase)$|^\/unsubscribe\//.test(
			route.path,
		) &&
		!isSigned(route),
);

/** Routes with their names, for describe.each and test.each. */
export function named(routes: readonly Route[]): [name: string, route: Route][] {
	return routes.map((route) => [`${route.method} ${route.path}`, route]);
}

/** What a call is about, and the session and key that it may carry. */
export interface Target {
	readonly id: number;
	readonly apiToken: string;
	readonly partnerId: number;
	readonly partnerProgramId: number;
	readonly owner: { readonly token: string; readonly workspaceId: number };
}

export interface Hostile {
	readonly body?: string | Uint8Array;
	/** Replaces every `:parameter` of the path. By default, a call uses the real program and an unknown id. */
	readonly id?: string;
	readonly query?: string;
	readonly headers?: Record<string, string>;
	/** By default a caller with access to the route. */
	readonly as?: 'nobody' | 'key' | 'owner';
}

/** Returns the status, which must be below 500. An error must be `{"error": string}`. */
export async function statusBy(
	fetch: (request: Request) => Promise<Response>,
	target: Target,
	route: Route,
	call: Hostile,
): Promise<number> {
	const { body, id, query = '', headers, as = takesKey(route) ? 'key' : 'owner' } = call;
	const token = { nobody: undefined, key: target.apiToken, owner: target.owner.token }[as];
	const path = route.path
		.replace('/programs/:id', `/programs/${id ?? target.id}`)
		.replace('/workspaces/:id', `/workspaces/${id ?? target.owner.workspaceId}`)
		.replace('/partner-programs/:id', `/partner-programs/${id ?? target.partnerProgramId}`)
		.replace('/partner-accounts/:partnerId', `/partner-accounts/${id ?? target.partnerId}`)
		.replace(/^(\/webhooks\/\w+)\/:programId/, `$1/${id ?? target.id}`)
		.replace('/:processor', `/${id ?? 'stripe'}`)
		.replaceAll(/:\w+/g, id ?? '999999999');
	const request = new Request(`http://service.test${path}${query}`, {
		method: route.method,
		headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
		...(body === undefined ? {} : { body }),
	});
	const response = await fetch(request);
	const text = await response.text();
	const sent = typeof body === 'string' ? body.slice(0, 300) : '';
	const what = `${route.method} ${path.slice(0, 100)}${query.slice(0, 100)} ${sent} as ${as}: ${response.status} ${text.slice(0, 200)}`;
	expect(response.status, what).toBeLessThan(500);
	// A page reports errors as HTML.
	const isPage = response.headers.get('Content-Type')?.startsWith('text/html');
	if (response.status >= 400 && !isPage) expect(JSON.parse(text), what).toMatchObject({ error: expect.stringMatching(/./) });
	// The URL resolves "..", so the request may be for another path.
	expectConformance({
		method: route.method,
		path: new URL(request.url).pathname,
		status: response.status,
		headers: response.headers,
		text,
	});
	return response.status;
}

const TABLES = [
	'customers',
	'affiliate_click_events',
	'affiliate_lead_events',
	'affiliate_sale_events',
	'refund_events',
	'commissions',
	'payouts',
	'outbox',
	'partner_programs',
	'referral_links',
	'commission_rules',
	'program_keys',
	'allowed_origins',
	'processor_endpoints',
	'processor_events',
	'processor_bindings',
];

const COUNTS = [
	...TABLES.map(
		(table) => `(SELECT count(*) FROM ${table} WHERE program_id IN (SELECT id FROM programs WHERE workspace_id = ?1)) AS ${table}`,
	),
	...['programs', 'members', 'invitations', 'partners', 'audit_entries'].map(
		(table) => `(SELECT count(*) FROM ${table} WHERE workspace_id = ?1) AS ${table}`,
	),
];

/** How many rows each table has for the workspace ?1. */
export const STORED = `SELECT ${COUNTS.join(', ')}`;
