import { holdingQueue } from '../../testing/queues.ts';
import { callWith } from './bindings.ts';
import { aPartner, anEarnedCommission, type Shop, type TestPartner } from './ledger.ts';
import { rows } from './funnel.ts';
import { moreLike } from './many-commissions.ts';
import { readRun, type TestRun } from './pay-runs.ts';

// Runs that approve or reject commissions. The test delivers their slices.

/** A partner of the shop with this many commissions of 1.00. */
export async function aPartnerWith(shop: Shop, count: number): Promise<TestPartner & { readonly commissionIds: readonly number[] }> {
	const partner = await aPartner(shop);
	const first = await anEarnedCommission(shop, partner, { amountCents: 100 });
	const more = count > 1 ? await moreLike(first, count - 1) : [];
	return { ...partner, commissionIds: [first.commissionId, ...more] };
}

/** Requests a run whose message is not delivered. */
export async function askDecision(shop: Shop, body: object, token = shop.owner.token, bindings: Partial<Env> = {}) {
	const { status, body: answer } = await callWith({ EFFECTS: holdingQueue(), ...bindings }, `${shop.path}/commissions/runs`, {
		token,
		body,
	});
	const run = answer['data'];
	const id = typeof run === 'object' && run !== null && 'id' in run ? Number(run.id) : undefined;
	return { status, error: answer['error'], id };
}

export async function startDecision(shop: Shop, body: object): Promise<TestRun> {
	const { status, error, id } = await askDecision(shop, body);
	if (id === undefined) throw new Error(`The run answered ${status}: ${String(error)}`);
	return readRun(shop, id);
}

/** How many commissions of the shop are in each state. */
export async function statesOf(shop: Shop): Promise<Record<string, number>> {
	const found = await rows<{ status: string; n: number }>(
		'SELECT status, count(*) AS n FROM commissions WHERE program_id = ? GROUP BY status',
		shop.id,
	);
	return Object.fromEntries(found.map(({ status, n }) => [status, n]));
}
