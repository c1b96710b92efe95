import { QUEUES } from '../world/queue.ts';
import type { Random } from '../../testing/random.ts';
import type { InboxRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Purchase } from '../world/account.ts';
import type { Operation } from './operation.ts';
import { refundToo, sellToo } from './report-payment.ts';
import { deliverMessages, tickOnce } from './work.ts';

/**
 * Separate consumers process events of one payment at once, often alongside a backend's report or the cron. Too rare to leave to chance.
 */
export const encounter: Operation = { kind: 'encounter', weight: 4, races: false, overtakes: true, run: processTogether };

async function processTogether(sim: Simulation, random: Random): Promise<void> {
	const meeting = Map.groupBy(
		sim.rows.inbox.filter(({ settled_at }) => settled_at === null),
		(row) => purchaseOf(sim, row),
	);
	const candidates = [...meeting].filter(([purchase, rows]) => purchase !== undefined && rows.length > 1);
	if (candidates.length === 0) return;
	const [purchase, rows] = random.pick(candidates);
	const some = random.shuffled(rows).slice(0, 3);
	// A queue may deliver a message twice.
	const events = random.chance(0.4) ? [...some, ...some.slice(0, 1)] : some;
	const messages = events.map(({ id }) => sim.queues.put(QUEUES.effects, { version: 1, kind: 'processor_events', ids: [id] }));
	const beside = random.weighted([
		{ weight: 4, happens: undefined },
		{ weight: 2, happens: sellToo },
		{ weight: 2, happens: refundToo },
		{ weight: 1, happens: tickOnce },
	]).happens;
	const others = purchase && beside ? [beside(sim, random, purchase)] : [];
	await Promise.all([...messages.map((message) => deliverMessages(sim, [message], new Set())), ...others]);
}

function purchaseOf(sim: Simulation, { program_id, event_id }: InboxRow): Purchase | undefined {
	return sim.account.deliveryOf(program_id, event_id)?.purchase;
}
