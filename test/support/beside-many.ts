import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { app } from '../../src/http/app.ts';
import { metered } from '../../testing/d1/metered.ts';
import { bearer } from './bindings.ts';
import type { Funnel } from './funnel.ts';

// Other partners' data, by SQL. A statement that scans all of it shows in the number of rows read.

async function nextId(table: string): Promise<number> {
	return (await env.DB.prepare(`SELECT coalesce(max(id), 0) + 1 AS id FROM ${table}`).first<number>('id')) ?? 1;
}

function run(statement: string): Promise<unknown> {
	return env.DB.prepare(statement).run();
}

const numbers = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;

/** More partners in the program, each with a link and a coupon. */
export interface ManyPartners {
	/** The ids of the first partner, membership and link; the others follow. */
	readonly partnerId: number;
	readonly membershipId: number;
	readonly linkId: number;
	readonly count: number;
}

export async function manyPartners({ id, owner }: Pick<Funnel, 'id' | 'owner'>, count: number): Promise<ManyPartners> {
	const [partnerId, membershipId, linkId] = [await nextId('partners'), await nextId('partner_programs'), await nextId('referral_links')];
	const now = Date.now();
	await run(`${numbers(count)} INSERT INTO partners (id, workspace_id, name, email, created_at)
		SELECT ${partnerId} + i, ${owner.workspaceId}, 'One of many', 'many-${partnerId}-' || i || '@people.example', ${now} FROM n`);
	await run(`${numbers(count)} INSERT INTO partner_programs (id, program_id, partner_id, status, created_at, created_day)
		SELECT ${membershipId} + i, ${id}, ${partnerId} + i, 'active', ${now} + i, date('now') FROM n`);
	await run(`${numbers(count)} INSERT INTO referral_links (id, program_id, partner_program_id, short_link, created_at)
		SELECT ${linkId} + i, ${id}, ${membershipId} + i, 'many-' || (${linkId} + i), ${now} FROM n`);
	await run(`${numbers(count)} INSERT INTO coupons (program_id, partner_program_id, code, created_at)
		SELECT ${id}, ${membershipId} + i, 'MANY-' || (${membershipId} + i), ${now} FROM n`);
	return { partnerId, membershipId, linkId, count };
}

/** Customers of those partners over the last hundred days, each with a stored click, a lead, a sale and its commission. */
export interface ManySales {
	/** The ids of the first customer and commission; the others follow. */
	readonly customerId: number;
	readonly commissionId: number;
	readonly count: number;
}

export async function manySales({ id }: Pick<Funnel, 'id'>, of: ManyPartners, count: number): Promise<ManySales> {
	const [customerId, saleId, commissionId] = [
		await nextId('customers'),
		await nextId('affiliate_sale_events'),
		await nextId('commissions'),
	];
	const [leadId, clickId] = [await nextId('affiliate_lead_events'), await nextId('affiliate_click_events')];
	const rule = await env.DB.prepare(
		'SELECT max(v.id) AS id FROM commission_rule_versions v JOIN commission_rules r ON r.id = v.rule_id WHERE r.program_id = ?',
	)
		.bind(id)
		.first<number>('id');
	const membership = `(${of.membershipId} + i % ${of.count})`;
	const at = `(${Date.now() - DAY_MS} - (${count} - i) * ${Math.floor((100 * DAY_MS) / count)})`;
	const [day, click] = [`date(${at} / 1000, 'unixepoch')`, `'cust_many_' || (${customerId} + i)`];
	await run(`${numbers(count)} INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day)
		SELECT ${click}, ${clickId} + i, ${id}, ${of.linkId} + i % ${of.count}, 0, 0, ${at}, ${day} FROM n`);
	await run(`${numbers(count)} INSERT INTO customers (id, program_id, customer_key, status, signup_date, first_purchase_date, partner_program_id,
			referral_link_id, click_id, clicked_at, click_sequence, created_at)
		SELECT ${customerId} + i, ${id}, 'many-' || (${customerId} + i), 'conversion', ${day}, ${day}, ${membership},
			${of.linkId} + i % ${of.count}, ${click}, ${at}, 0, ${at} FROM n`);
	await run(`${numbers(count)} INSERT INTO affiliate_lead_events (id, program_id, customer_id, is_test, created_at, op_id)
		SELECT ${leadId} + i, ${id}, ${customerId} + i, 0, ${at}, 'many-lead-' || (${leadId} + i) FROM n`);
	await run(`${numbers(count)} INSERT INTO affiliate_sale_events (id, program_id, processor_event_id, is_test, customer_id, partner_program_id,
			amount_cents, currency, sale_type, is_recurring, inside_window, commission_state, created_at, sale_day, op_id)
		SELECT ${saleId} + i, ${id}, 'many-' || (${saleId} + i), 0, ${customerId} + i, ${membership},
			10000, 'USD', 'payment', 0, 1, 'made', ${at}, ${day}, 'many-sale-' || (${saleId} + i) FROM n`);
	await run(`${numbers(count)} INSERT INTO commissions (id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status,
			hold_until, created_at, created_day)
		SELECT ${commissionId} + i, ${id}, ${membership}, ${saleId} + i, ${rule}, 2000, 'USD', 'pending', ${at}, ${at}, ${day} FROM n`);
	return { customerId, commissionId, count };
}

export interface Numbered {
	readonly id: number;
}

interface Listed {
	readonly data: readonly Numbered[];
	readonly meta?: { readonly next_cursor: string | null; readonly unread_count?: number };
}

/** Returns the list, and how many rows the owner's call and its deferred work read. */
export async function readingRows({ owner }: Pick<Funnel, 'owner'>, path: string, body?: object) {
	const DB = metered(env.DB);
	const execution = createExecutionContext();
	const request = new Request(`http://service.test${path}`, {
		method: body === undefined ? 'GET' : 'POST',
		headers: { ...bearer(owner.token), 'Content-Type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const response = await app.fetch(request, { ...env, DB }, execution);
	const text = await response.text();
	await waitOnExecutionContext(execution);
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
	const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
	const { data, meta }: Listed = isJson ? JSON.parse(text) : { data: [] };
	return { data, meta, rowsRead: DB.spent().rowsRead };
}
