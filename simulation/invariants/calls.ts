import type { Simulation } from '../world/simulation.ts';
import { deliveryBehind } from './inbox.ts';
import { byId, type Invariant, violated } from './invariant.ts';

// A parked event may wait for a sale that the backend has yet to report.

export const calls: Invariant = { name: 'a backend report resumes the events that wait for it', check: checkCalls };

/** After a step, such an event must be processed or due. */
function checkCalls(sim: Simulation): void {
	if (sim.rows.sales === sim.before.sales) return;
	const known = byId(sim.before.sales);
	const before = byId(sim.before.inbox);
	const now = byId(sim.rows.inbox);
	for (const sale of sim.rows.sales) {
		if (known.has(sale.id) || deliveryBehind(sim, sale.op_id) || sim.journal.paymentOf(sale.op_id)) continue;
		for (const { program_id, processor_id, processor_event_id } of sim.before.waits) {
			const isReported = processor_id === sale.processor_event_id || processor_id === sale.subscription_id;
			const waiting = now.get(processor_event_id);
			const isAsBefore = waiting?.revision === before.get(processor_event_id)?.revision;
			if (program_id === sale.program_id && isReported && waiting?.state === 'waiting' && isAsBefore)
				throw violated(
					calls.name,
					`event ${waiting.event_id} still waits for ${processor_id}, which the call that recorded sale ${sale.id} reported`,
				);
		}
	}
}
