import { env } from 'cloudflare:workers';
import { onTestFinished } from 'vitest';
import { holdingQueue } from '../../testing/queues.ts';
import { atInstant } from '../support/at-instant.ts';
import { deliver, tick } from '../support/deliver.ts';
import { call, type Held, settled } from '../support/rows.ts';
import { api, unique } from '../support/world.ts';
import type { SignedInPartner } from '../support/portal.ts';
import type { Shop } from '../support/ledger.ts';
import type { Page } from '../support/outside.ts';

export interface TestPostback {
	readonly url: string;
	readonly events: readonly string[];
	readonly enabled: boolean;
	readonly disabled_for: string | null;
	readonly failures: number;
}

export interface TestCall {
	readonly event: string;
	readonly test: boolean;
	readonly url: string;
	readonly status: string;
	readonly attempts: number;
	readonly next_attempt_at: string | null;
	readonly last_status: number | null;
	readonly last_error: string | null;
	readonly last_response?: string | null;
}

export const EVERYTHING = ['lead', 'sale', 'reversed', 'reinstated'];
export const QUERY = '?s={sub_id}&a={amount}&c={currency}&e={event}&k={click_id}';

export function aReceiver(): string {
	return `https://${unique('network').toLowerCase()}.example/in`;
}

/** By default, URLs return 404. */
export async function answersAt(url: string, page: Page): Promise<void> {
	await fetch(url, { method: 'PUT', body: JSON.stringify(page) });
}

/** Runs the tick and the due calls, one consumer after another. */
export function calledAt(instant: number): Promise<void> {
	return atInstant(instant, async () => {
		const WEBHOOKS = holdingQueue();
		await tick({ WEBHOOKS });
		while (WEBHOOKS.held.length > 0) await deliver('affiliate-webhooks', asMessages(WEBHOOKS.held.splice(0)), { WEBHOOKS });
	});
}

export function asMessages(bodies: readonly unknown[]): { readonly body: unknown }[] {
	return bodies.map((body) => ({ body }));
}

/** Adds this many long overdue calls to a URL. */
export async function aBacklog(url: string, count: number): Promise<void> {
	const backlog = `
		WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
		INSERT INTO postback_deliveries (postback_id, operation, event, subject_id, is_test, amount_cents, currency, state, next_attempt_at, created_at)
		SELECT b.id, 'backlog', 'lead', n, 0, 0, 'USD', 'pending', n, n FROM n CROSS JOIN postbacks b WHERE b.url = ?1`;
	await env.DB.prepare(backlog).bind(url, count).run();
	onTestFinished(async () => void (await env.DB.prepare("DELETE FROM postback_deliveries WHERE operation = 'backlog'").run()));
}

export async function callsOf(receiver: string): Promise<string[]> {
	const response = await fetch(receiver, { method: 'REPORT' });
	const asked: string[] = await response.json();
	return asked.filter((url) => url.startsWith(receiver));
}

export async function aPostback(partner: SignedInPartner, url: string, events: readonly string[] = EVERYTHING): Promise<TestPostback> {
	const { status, text, body } = await setPostback(partner, { url, events });
	if (status !== 200) throw new Error(`Setting the postback answered ${status}: ${text}`);
	return body.data;
}

export function setPostback(partner: SignedInPartner, body: unknown) {
	return api<TestPostback>(`${partner.own}/postback`, { method: 'PUT', token: partner.token, body });
}

export async function logOf(partner: SignedInPartner): Promise<readonly TestCall[]> {
	return (await api<TestCall[]>(`${partner.own}/postback/deliveries`, { token: partner.token })).body.data;
}

/** All effects are applied. Returns the customer key. */
export async function aBroughtLead(shop: Shop, partner: SignedInPartner, subId?: string): Promise<string> {
	const customer_key = unique('customer');
	const { click_id } = await settled((held) => aClick(held, shop, partner, subId));
	await settled((held) => track(held, shop, 'lead', { click_id, customer_key }));
	return customer_key;
}

export function aClick(held: Held, shop: Shop, partner: SignedInPartner, subId?: string) {
	const query = subId === undefined ? '' : `&sub_id=${encodeURIComponent(subId)}`;
	return track(held, shop, 'click', { affiliate_url: `https://shop.example/?aff=${partner.links[0]?.short_link}${query}` });
}

export function track(held: Held, shop: Shop, route: string, body: object) {
	return call(held, { ...shop, partnerId: 0, partnerProgramId: 0, shortLink: '' }, route, body);
}
