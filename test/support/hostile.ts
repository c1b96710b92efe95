import { exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import { peopleApp } from '../../src/http/people-app.ts';
import { trackingApp } from '../../src/http/tracking-app.ts';
import { expectConformance } from './conformance.ts';
import { aPartner, type Funnel, rows } from './funnel.ts';
import { accept } from './members.ts';
import { invite, tokenOf } from './portal.ts';
import { aProgram, signUp } from './world.ts';

// Calls that no honest client makes, on every route that there is.

export interface Route {
	readonly method: string;
	readonly path: string;
}

export const ROUTES: readonly Route[] = [
	...new Map(
		[...trackingApp.routes, ...peopleApp.routes]
			.filter(({ method }) => method !== 'ALL')
			.map(({ method, path }) => [`${method} ${path}`, { method, path }]),
	).values(),
];

export function isTracking({ path }: Route): boolean {
	return /^\/api\/(v1\/track|tracking)\/(click|lead|sale|refund)$/.test(path);
}

/** Routes for backends; the others are for people. */
function takesKey(route: Route): boolean {
	return isTracking(route) || route.path.startsWith('/api/v1/cli/');
}

/** For who has a link, or comes to the program's public page. */
export function isForAnybody({ path }: Route): boolean {
	return /^\/(api\/v1\/(invitations|public)|unsubscribe)\//.test(path);
}

/** Whoever calls it, what counts is the signature: test/processor/receive-stripe-event.test.ts. */
export function isSigned({ path }: Route): boolean {
	return path.startsWith('/webhooks/');
}

/** Routes that read a body, from whom a token names. */
export const WRITES = ROUTES.filter(
	(route) =>
		['POST', 'PUT', 'PATCH'].includes(route.method) &&
		!/\/(sign-out|read|replay|redeliver|verify|invitation|:partnerId\/erase)$|^\/unsubscribe\//.test(route.path) &&
		!isSigned(route),
);

/** With their names, for describe.each and test.each. */
export function named(routes: readonly Route[]): [name: string, route: Route][] {
	return routes.map((route) => [`${route.method} ${route.path}`, route]);
}

/** A program with a person of its own, who is also its partner, and whose session and key the calls carry. */
export async function aTarget(): Promise<Funnel> {
	const owner = await signUp();
	const program = await aProgram(owner, { workspace_id: owner.workspaceId, commission: { type: 'percent', percent: 20 } });
	const partner = await aPartner(owner, program.id);
	const invited = await invite({ path: `/api/v1/programs/${program.id}`, owner }, { id: partner.partnerId });
	const { status, text } = await accept({ token: tokenOf(invited.body.data) }, owner);
	if (status !== 201) throw new Error(`Accepting answered ${status}: ${text}`);
	return { ...program, owner, ...partner };
}

export interface Hostile {
	readonly body?: string | Uint8Array;
	/** Stands for every `:parameter` of the path; by default the real program, and a thing that does not exist. */
	readonly id?: string;
	readonly query?: string;
	readonly headers?: Record<string, string>;
	/** By default whoever may call the route. */
	readonly as?: 'nobody' | 'key' | 'owner';
}

/** The status of a hostile call, once its answer has been found to be no 5xx, and an error to be `{"error": string}`. */
export async function statusOf(target: Funnel, route: Route, call: Hostile): Promise<number> {
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
	const response = await exports.default.fetch(`http://service.test${path}${query}`, {
		method: route.method,
		headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
		...(body === undefined ? {} : { body }),
	});
	const text = await response.text();
	const sent = typeof body === 'string' ? body.slice(0, 300) : '';
	const what = `${route.method} ${path.slice(0, 100)}${query.slice(0, 100)} ${sent} as ${as}: ${response.status} ${text.slice(0, 200)}`;
	expect(response.status, what).toBeLessThan(500);
	// A page says it as a page does.
	const isPage = response.headers.get('Content-Type')?.startsWith('text/html');
	if (response.status >= 400 && !isPage) expect(JSON.parse(text), what).toMatchObject({ error: expect.stringMatching(/./) });
	expectConformance({ method: route.method, path, status: response.status, headers: response.headers, text });
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

/** How much is stored of the target's workspace, table by table, and its partner's balances. */
export async function storedOf({ owner, partnerProgramId }: Funnel): Promise<Record<string, unknown>> {
	const counts = TABLES.map(
		(table) => `(SELECT count(*) FROM ${table} WHERE program_id IN (SELECT id FROM programs WHERE workspace_id = ?1)) AS ${table}`,
	);
	const more = ['programs', 'members', 'invitations', 'partners', 'audit_entries'].map(
		(table) => `(SELECT count(*) FROM ${table} WHERE workspace_id = ?1) AS ${table}`,
	);
	const [stored] = await rows(`SELECT ${[...counts, ...more].join(', ')}`, owner.workspaceId);
	const balances = await rows('SELECT * FROM partner_program_balances WHERE partner_program_id = ?', partnerProgramId);
	return { ...stored, balances };
}
