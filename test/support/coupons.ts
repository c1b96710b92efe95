import { expect } from 'vitest';
import { aPartner, type Funnel, rows, track, type Tracked } from './funnel.ts';
import { api, unique } from './world.ts';

export interface TestCoupon {
	readonly id: number;
	readonly code: string;
	readonly partner: { readonly id: number; readonly name: string };
	readonly sales: number;
	readonly last_sale_at: string | null;
	readonly created_at: string;
	readonly archived_at: string | null;
}

/** A coupon of a partner of the funnel's program; by default the funnel's own partner. */
export async function aCoupon(funnel: Funnel, fields: { partner_id?: number; code?: string } = {}): Promise<TestCoupon> {
	const sent = { partner_id: funnel.partnerId, code: unique('code'), ...fields };
	const { status, text, body } = await api<TestCoupon>(`/api/v1/programs/${funnel.id}/coupons`, { token: funnel.owner.token, body: sent });
	if (status !== 201) throw new Error(`The coupon answered ${status}: ${text}`);
	return body.data;
}

/** Another partner of the program, with a coupon. */
export async function aRival(funnel: Funnel): Promise<Funnel & { readonly coupon: TestCoupon }> {
	const rival = { ...funnel, ...(await aPartner(funnel.owner, funnel.id)) };
	return { ...rival, coupon: await aCoupon(rival) };
}

export function sell(funnel: Pick<Funnel, 'apiToken'>, fields: object): Promise<Tracked> {
	return track('sale', { transaction_id: unique('txn'), amount_cents: 10_000, ...fields }, funnel.apiToken);
}

/** The sale's customer and partner, and the result of its coupon. */
export async function soldBy({ status, body }: Tracked) {
	expect([status, body['error']]).toEqual([200, undefined]);
	const [sale] = await rows<{ partner: number; coupon: number | null; verdict: string | null }>(
		`SELECT partner_program_id AS partner, coupon_id AS coupon, decision_facts ->> '$.coupon[0]' AS verdict
		FROM affiliate_sale_events WHERE id = ?`,
		body['sale_id'],
	);
	return sale;
}
