import type { SaleRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { isForeign } from './inbox.ts';

// The reported start dates of subscriptions, which decide whether a click was in time.

/** The service allows clocks to differ this much. */
const CLOCKS_MS = 60_000;

/** The start of a sale's subscription, as one event reported it. */
export interface ReportedBeginning {
	readonly at: number;
	readonly isTrial: boolean;
	/** Whether the event was certainly processed before the sale was recorded. */
	readonly isSure: boolean;
}

export function beginningsReported(sim: Simulation, sale: SaleRow): ReportedBeginning[] {
	if (sale.subscription_id === null) return [];
	return sim.rows.inbox.flatMap((row): ReportedBeginning[] => {
		const delivery = sim.account.deliveryOf(row.program_id, row.event_id);
		const isOfIt = delivery?.purchase.payer.subscription?.id === sale.subscription_id;
		if (!isOfIt || row.program_id !== sale.program_id || row.is_test === 1 || row.received_at > sale.created_at) return [];
		const said = isForeign(delivery) ? undefined : delivery.beginning;
		const isSure = row.settled_at !== null && row.settled_at < sale.created_at && row.state !== 'failed';
		return said ? [{ ...said, isSure }] : [];
	});
}

/** Whether the sale's subscription itself identifies the customer. */
export function carriesKeys(sim: Simulation, sale: SaleRow): boolean {
	const payer = sim.account.payers.find(({ subscription }) => subscription?.id === sale.subscription_id);
	const claims = payer?.subscription?.claims;
	return (claims?.customerKey ?? claims?.clickId) !== undefined;
}

export function isTooLate(clickedAt: number, happenedAt: number): boolean {
	return happenedAt + CLOCKS_MS < clickedAt;
}
