import { QUEUES } from '../queue.ts';
import type { Random } from '../random.ts';
import type { InboxRow } from '../rows.ts';
import type { Simulation } from '../simulation.ts';
import type { Purchase } from '../stripe/account.ts';
import type { Operation } from './operation.ts';
import { deliverLetters } from './work.ts';

/**
 * Two or three events of one payment are processed at once, each by a consumer of its own: one that waits for the sale may take
 * its last look while another one records it. Chance alone seldom makes them meet.
 */
export const encounter: Operation = { kind: 'encounter', weight: 4, races: false, overtakes: true, run: processTogether };

async function processTogether(sim: Simulation, random: Random): Promise<void> {
	const meeting = Map.groupBy(
		sim.rows.inbox.filter(({ settled_at }) => settled_at === null),
		(row) => purchaseOf(sim, row),
	);
	const candidates = [...meeting.values()].filter((events) => events.length > 1);
	if (candidates.length === 0) return;
	const events = random.shuffled(random.pick(candidates)).slice(0, 3);
	const letters = events.map(({ id }) => sim.queues.put(QUEUES.effects, { version: 1, kind: 'processor_events', ids: [id] }));
	await Promise.all(letters.map((letter) => deliverLetters(sim, [letter], new Set())));
}

function purchaseOf(sim: Simulation, { program_id, event_id }: InboxRow): Purchase | undefined {
	return sim.account.mailOf(program_id, event_id)?.purchase;
}
