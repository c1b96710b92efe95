import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { api, aProgram, type Owner, type TestProgram, unique } from './world.ts';

// Partners with commissions, created through the routes for clicks, sales and so on.

export interface TestPartner {
	readonly id: number;
	readonly partner_program_id: number;
	readonly name: string;
	readonly email: string;
	readonly accepted: boolean;
	/** Present only if the partner was just added. */
	readonly invitation_url: string | null;
	readonly mailed: boolean;
	readonly status: string;
	readonly balances: Record<string, TestBalance>;
	readonly links: readonly {
		readonly id: number;
		readonly short_link: string;
		readonly archived: boolean;
		readonly destination_url: string | null;
	}[];
	readonly created_at: string;
}

export interface TestBalance {
	readonly available: number;
	readonly pending: number;
	readonly debt: number;
}

export interface Earned {
	readonly commissionId: number;
	readonly saleId: number;
	readonly transactionId: string;
}

export interface Shop extends TestProgram {
	readonly owner: Owner;
	/** The program's path in the management API. */
	readonly path: string;
}

/** Partners earn the whole sale, so that tests need only one number. A hold of some days is optional. */
export async function aShop(owner: Owner, holdDays = 0): Promise<Shop> {
	const program = await aProgram(owner, {
		workspace_id: owner.workspaceId,
		commission: { type: 'percent', percent: 100, hold_days: holdDays },
	});
	return { ...program, owner, path: `/api/v1/programs/${program.id}` };
}

/** A partner of the shop, with one link. */
export async function aPartner(shop: Shop, fields: Record<string, unknown> = {}): Promise<TestPartner> {
	const { status, text, body } = await api<TestPartner>(`${shop.path}/partners`, {
		token: shop.owner.token,
		body: { name: 'Pat Partner', email: `${unique('pat')}@partners.example`, ...fields },
	});
	if (status !== 201) throw new Error(`Adding a partner answered ${status}: ${text}`);
	return body.data;
}

/** The sale earns its whole amount. */
export async function anEarnedCommission(
	shop: Shop,
	partner: TestPartner,
	sale: { amountCents: number; currency?: string },
): Promise<Earned> {
	const clicked = await post<{ click_id: string }>('/api/v1/track/click', {
		affiliate_url: `https://shop.example/?aff=${partner.links[0]?.short_link}`,
	});
	const transactionId = unique('txn');
	const sold = await post<{ sale_id: number; commission_id: number }>(
		'/api/v1/track/sale',
		{ transaction_id: transactionId, amount_cents: sale.amountCents, click_id: clicked.click_id, currency: sale.currency ?? 'USD' },
		shop.apiToken,
	);
	return { commissionId: sold.commission_id, saleId: sold.sale_id, transactionId };
}

/** A refund through the endpoint; by default in full. */
export async function aRefund(shop: Shop, earned: Earned, amountCents?: number): Promise<void> {
	await post('/api/v1/track/refund', { transaction_id: earned.transactionId, refund_amount_cents: amountCents }, shop.apiToken);
}

/** Minor units. */
export async function standingsOf(shop: Shop, partner: TestPartner): Promise<Record<string, TestBalance>> {
	const { body } = await api<TestPartner>(`${shop.path}/partners/${partner.id}`, { token: shop.owner.token });
	return body.data.balances;
}

/** The balance per currency; below zero is a debt. */
export async function balancesOf(shop: Shop, partner: TestPartner): Promise<Record<string, number>> {
	const standings = Object.entries(await standingsOf(shop, partner));
	return Object.fromEntries(
		standings.map(([currency, { available, pending, debt }]) => {
			expect(Math.min(available, pending, debt)).toBeGreaterThanOrEqual(0);
			return [currency, available + pending - debt];
		}),
	);
}

/** Oldest first: `kind nominal applied balance`. */
export async function ledgerOf(partner: TestPartner, currency = 'USD'): Promise<string[]> {
	const { results } = await env.DB.prepare(
		'SELECT kind, nominal_cents, applied_cents, balance_after_cents FROM ledger_entries WHERE partner_program_id = ? AND currency = ? ORDER BY id',
	)
		.bind(partner.partner_program_id, currency)
		.all<{ kind: string; nominal_cents: number; applied_cents: number; balance_after_cents: number }>();
	return results.map((entry) => `${entry.kind} ${entry.nominal_cents} ${entry.applied_cents} ${entry.balance_after_cents}`);
}

export async function joinWorkspace(owner: Owner, person: Owner, role: 'admin' | 'member'): Promise<void> {
	await env.DB.prepare('INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, ?, ?)')
		.bind(owner.workspaceId, person.userId, role, Date.now())
		.run();
}

export function statusesOf(answers: readonly { readonly status: number }[]): number[] {
	return answers.map((answer) => answer.status).toSorted((a, b) => a - b);
}

async function post<Body>(path: string, body: unknown, token?: string): Promise<Body> {
	const answer = await api(path, token === undefined ? { body } : { body, token });
	expect(answer.status, answer.text).toBe(200);
	const answered: Body = JSON.parse(answer.text);
	return answered;
}
