import type { SaleRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { isForeign } from './inbox.ts';

// When subscriptions began, as their events told it. By that some sales are no partner's, and some keep theirs.

/** So much two clocks may differ. */
const CLOCKS_MS = 60_000;

/** What an event told of the subscription of a sale. */
export interface ReportedBeginning {
	readonly at: number;
	readonly isTrial: boolean;
	/** Whether it had been processed before the sale was recorded; else it may have been. */
	readonly isSure: boolean;
}

/** What was told of the subscription that a sale pays for, until the sale was recorded. */
export function beginningsReported(sim: Simulation, sale: SaleRow): ReportedBeginning[] {
	if (sale.subscription_id === null) return [];
	return sim.rows.inbox.flatMap((row): ReportedBeginning[] => {
		const mail = sim.account.mailOf(row.program_id, row.event_id);
		const isOfIt = mail?.purchase.payer.subscription?.id === sale.subscription_id;
		if (!isOfIt || row.program_id !== sale.program_id || row.is_test === 1 || row.received_at > sale.created_at) return [];
		const said = isForeign(mail) ? undefined : mail.beginning;
		const isSure = row.settled_at !== null && row.settled_at < sale.created_at && row.state !== 'failed';
		return said ? [{ ...said, isSure }] : [];
	});
}

/** Whether the subscription of a sale says itself whose it is. */
export function carriesKeys(sim: Simulation, sale: SaleRow): boolean {
	const payer = sim.account.payers.find(({ subscription }) => subscription?.id === sale.subscription_id);
	const claims = payer?.subscription?.claims;
	return (claims?.customerKey ?? claims?.clickId) !== undefined;
}

/** Whether a click came too late for what happened then. */
export function isTooLate(clickedAt: number, happenedAt: number): boolean {
	return happenedAt + CLOCKS_MS < clickedAt;
}
