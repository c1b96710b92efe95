import { holdingQueue } from '../../testing/queues.ts';
import { callWith } from './bindings.ts';
import { aPartner, anEarnedCommission, type Shop, type TestPartner } from './ledger.ts';
import { rows } from './funnel.ts';
import { moreLike } from './many-commissions.ts';
import { readRun, type TestRun } from './pay-runs.ts';

// The test delivers the slices of runs that approve or reject commissions.

/** Commissions of 1.00. */
export async function aPartnerWith(shop: Shop, count: number): Promise<TestPartner & { readonly commissionIds: readonly number[] }> {
	const partner = await aPartner(shop);
	const first = await anEarnedCommission(shop, partner, { amountCents: 100 });
	const more = count > 1 ? await moreLike(first, count - 1) : [];
	return { ...partner, commissionIds: [first.commissionId, ...more] };
}

/** The run's message is not delivered. */
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

export async function statesOf(shop: Shop): Promise<Record<string, number>> {
	const found = await rows<{ status: string; n: number }>(
		'SELECT status, count(*) AS n FROM commissions WHERE program_id = ? GROUP BY status',
		shop.id,
	);
	return Object.fromEntries(found.map(({ status, n }) => [status, n]));
}
