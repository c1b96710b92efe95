import { replayDeadLetter } from '../../src/dead-letters/replay-dead-letter.ts';
import { consume } from '../../src/jobs/consume.ts';
import { tick } from '../../src/jobs/tick.ts';
import { rollUpDays } from '../../src/reporting/roll-up-day.ts';
import { type QueueMessage, QUEUES } from '../world/queue.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { aProgram, type Operation } from './operation.ts';
import { WORLD } from '../world/world.ts';

const MINUTE_MS = 60_000;
const PROGRAMS_PER_TICK = 20;

// Queue deliveries, crons, and time passing.

export const deliver: Operation = { kind: 'deliver', weight: 14, races: true, run: deliverSome };
export const cron: Operation = { kind: 'cron', weight: 7, races: true, run: tickSomeTime };
export const clock: Operation = { kind: 'clock', weight: 8, races: false, run: passTime };
export const replay: Operation = { kind: 'replay', weight: 1, races: true, run: replayDeadLetters };

/** Delivers messages in any order, some twice. Some effects are lost. */
export async function deliverSome(sim: Simulation, random: Random): Promise<void> {
	const queue = random.weighted([
		{ weight: 3, name: QUEUES.clicks },
		{ weight: 6, name: QUEUES.effects },
		{ weight: 4, name: QUEUES.webhooks },
		{ weight: 1, name: QUEUES.dead },
	]).name;
	const waiting = sim.queues.messages.filter((message) => message.queue === queue && !sim.queues.inFlight.has(message));
	if (queue === QUEUES.effects) {
		for (const lost of random.some(waiting, 0.08)) {
			sim.queues.drop(lost);
			sim.count('message lost');
		}
	}
	const chosen = random.some(
		sim.queues.messages.filter((message) => message.queue === queue),
		0.7,
	);
	if (queue === QUEUES.webhooks) await deliverAtOnce(sim, chosen);
	else await deliverMessages(sim, chosen, new Set(random.some(chosen, 0.2)));
}

/** The webhook queue has several consumers. */
async function deliverAtOnce(sim: Simulation, messages: readonly QueueMessage[]): Promise<void> {
	const another = sim.queues.put(QUEUES.webhooks, { version: 1, kind: 'webhooks', channel: 'postbacks' });
	await Promise.all([another, ...messages].map((message) => deliverMessages(sim, [message], new Set())));
}

export async function deliverMessages(
	sim: Simulation,
	messages: readonly QueueMessage[],
	redelivered: ReadonlySet<QueueMessage>,
): Promise<void> {
	const [first] = messages;
	if (!first) return;
	const { batch, settle } = sim.queues.delivery(messages, redelivered);
	await sim.request('deliver', { queue: first.queue, messages: messages.length }, (ctx) => consume(ctx, batch));
	settle();
}

/** Often picks the minute of the hour in which a program is verified, which is the program's id. */
async function tickSomeTime(sim: Simulation, random: Random): Promise<void> {
	const isVerifying = random.chance(0.5);
	const minute = aProgram(random).id;
	if (isVerifying && sim.focus === undefined) sim.now += (60 + minute - (Math.floor(sim.now / MINUTE_MS) % 60)) * MINUTE_MS;
	if (isVerifying) await sim.request('verify', {}, (ctx) => rollUpDays(ctx, PROGRAMS_PER_TICK));
	await tickOnce(sim);
}

export async function tickOnce(sim: Simulation): Promise<void> {
	await sim.request('tick', {}, (ctx) => tick(ctx));
}

async function passTime(sim: Simulation, random: Random): Promise<void> {
	const { unit, most } = random.chance(sim.theme.longWaitShare)
		? { unit: 86_400_000, most: random.pick([8, 35, 35, 70]) }
		: random.weighted([
				{ weight: 2, unit: 1, most: 50 },
				{ weight: 2, unit: 60_000, most: 90 },
				{ weight: 2, unit: 3_600_000, most: 30 },
				{ weight: 3, unit: 86_400_000, most: 15 },
			]);
	sim.now += unit * random.between(1, most);
}

export async function replayDeadLetters(sim: Simulation): Promise<void> {
	const waiting = sim.ground.sqlite.prepare('SELECT id, workspace_id FROM dead_letters WHERE replayed_at IS NULL').all();
	for (const row of waiting) {
		const deadLetterId = Number(row['id']);
		const owner = WORLD.programs.find((program) => program.workspaceId === row['workspace_id']);
		const actor = { userId: owner?.ownerId ?? 1, email: 'owner@example.com', name: 'Owner', address: null };
		await sim.request('replay', { deadLetterId }, (ctx) => replayDeadLetter(ctx, actor, deadLetterId));
	}
}
