import { retireClicks } from '../../src/clicks/retire-clicks.ts';
import type { ClickJob } from '../../src/job.ts';
import { eraseCustomer } from '../../src/privacy/erase-customer.ts';
import { updateProgram } from '../../src/programs/update-program.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Program, WORLD } from '../world/world.ts';
import { type QueueMessage, QUEUES } from '../world/queue.ts';
import { click } from './click.ts';
import { lead } from './lead.ts';
import { aProgram, insist, managed, type Operation } from './operation.ts';
import { report } from './report.ts';
import { deliverMessages, replayDeadLetters, tickOnce } from './work.ts';

const DAY_MS = 86_400_000;

/** An owner chooses how long clicks are kept, and days pass until some have expired. Small files let a day have several. */
export const retire: Operation = { kind: 'retire', weight: 24, races: true, overtakes: true, run: retireSome };

async function retireSome(sim: Simulation, random: Random): Promise<void> {
	const program = aProgramWithClicks(sim, random);
	const { click_retention_days: days = null } = sim.rows.programs.find(({ id }) => id === program.id) ?? {};
	const isChanging = days === null || random.chance(0.2);
	const isLast = random.chance(0.2);
	const isSlow = sim.focus === undefined && random.chance(0.2);
	if (sim.focus === undefined) {
		for (let visits = random.below(4); visits > 0; visits -= 1) await click.run(sim, random);
		await deliverClicks(sim, random, isSlow ? 0.4 : 0.8);
	}
	if (isChanging && !isLast) await retain(sim, random, program);
	if (sim.focus === undefined) letExpire(sim, random, program);
	const limits = {
		programs: random.between(1, 3),
		slices: random.between(1, 5),
		clicksPerFile: random.between(1, 2),
		...(random.chance(0.1) && { clicksPerLook: random.between(1, 2) }),
	};
	// Only for a moment and not in a race: without the bucket, erasures and late deliveries fail until it is back.
	const isUnbound = random.chance(0.05) && sim.focus === undefined;
	if (isUnbound) sim.clicks.bind(false);
	const slow = isSlow && !isUnbound ? await deliverSlowly(sim, random, program) : undefined;
	await Promise.all([
		...Array.from({ length: random.pick([1, 1, 2, 3]) }, () =>
			insist(random, () => sim.request('retire', { limits }, (ctx) => retireClicks(ctx, limits))),
		),
		...(isChanging && isLast ? [retain(sim, random, program)] : []),
		...(sim.focus === undefined && !isUnbound ? [random.weighted(BESIDE).happens?.(sim, random)] : []),
	]);
	await slow?.done;
	if (isUnbound) sim.clicks.bind(true);
}

/** What may change clicks while they are retired. */
const BESIDE = [
	{ weight: 4, happens: undefined },
	{ weight: 2, happens: (sim: Simulation, random: Random) => lead.run(sim, random) },
	{ weight: 2, happens: eraseVisitor },
	{ weight: 2, happens: (sim: Simulation, random: Random) => deliverClicks(sim, random, 0.8) },
	{ weight: 1, happens: replayDeadLetters },
	{ weight: 1, happens: (sim: Simulation, random: Random) => report.run(sim, random) },
	{ weight: 1, happens: tickOnce },
];

/** Usually somebody who only clicked. */
async function eraseVisitor(sim: Simulation, random: Random): Promise<void> {
	const clicks = sim.rows.clicks.filter(({ is_test }) => is_test === 0);
	if (clicks.length === 0) return;
	const late = new Set(waitingClicks(sim).map((message) => jobIn(message).clickId));
	const deliveredAgain = clicks.filter(({ click_id }) => late.has(click_id));
	const { click_id: id, program_id } = random.pick(deliveredAgain.length > 0 && random.chance(0.7) ? deliveredAgain : clicks);
	const program = WORLD.programs.find((candidate) => candidate.id === program_id) ?? aProgram(random);
	const person = { by: 'clickId', id } as const;
	await insist(random, () => sim.request('erase', { program, person }, (ctx) => eraseCustomer(ctx, managed(program), person)));
}

function waitingClicks(sim: Simulation): QueueMessage[] {
	return sim.queues.messages.filter(({ queue }) => queue === QUEUES.clicks);
}

function jobIn({ body }: QueueMessage): ClickJob {
	// Only the service sends to this queue.
	return body as ClickJob;
}

/**
 * The queue believes that a slow consumer is gone, so it delivers the messages again, which are done before the slow one goes on. Often it
 * has a single click, because one that stays in the table shows the slow one that it is late.
 */
async function deliverSlowly(sim: Simulation, random: Random, program: Program): Promise<{ readonly done: Promise<void> } | undefined> {
	const waiting = waitingClicks(sim).filter((message) => jobIn(message).programId === program.id);
	if (waiting.length === 0) return undefined;
	sim.count('clicks delivered slowly');
	const late = random.chance(0.5) ? [random.pick(waiting)] : waiting;
	if (random.chance(0.5)) expire(sim, random, program, Math.max(...late.map((message) => jobIn(message).clickedAt)));
	sim.schedule.slowDown({ id: sim.journal.requests.length, calls: random.between(1, 5) });
	const done = deliverMessages(sim, late, new Set());
	await deliverMessages(sim, late, new Set(random.some(late, 0.4)));
	return { done };
}

/** The rest stays in the queue and arrives late. */
async function deliverClicks(sim: Simulation, random: Random, share: number): Promise<void> {
	const chosen = random.some(waitingClicks(sim), share);
	await deliverMessages(sim, chosen, new Set(random.some(chosen, 0.4)));
}

/** Rarely chooses to keep clicks for ever again. */
async function retain(sim: Simulation, random: Random, program: Program): Promise<void> {
	const days = random.chance(0.1) ? null : program.windowDays + 7 + random.pick([0, 0, 1, 30]);
	await insist(random, () =>
		sim.request('retention', { program, days }, (ctx) => updateProgram(ctx, managed(program), { clickRetentionDays: days })),
	);
}

/** Moves the clock until some of the program's clicks have expired, often only the oldest. */
function letExpire(sim: Simulation, random: Random, program: Program): void {
	const own = sim.clicks.inTable().filter(({ program_id }) => program_id === program.id);
	if (own.length === 0 || random.chance(0.2)) return;
	const { clicked_at: clickedAt } = random.chance(0.5) ? (own[0] ?? random.pick(own)) : random.pick(own);
	expire(sim, random, program, clickedAt);
}

function expire(sim: Simulation, random: Random, program: Program, clickedAt: number): void {
	const { click_retention_days: days } = sim.rows.programs.find(({ id }) => id === program.id) ?? {};
	sim.now = Math.max(sim.now, clickedAt + ((days ?? program.windowDays + 7) + random.between(1, 2)) * DAY_MS);
}

function aProgramWithClicks(sim: Simulation, random: Random): Program {
	const other = aProgram(random);
	const own = sim.clicks.inTable();
	if (own.length === 0 || random.chance(0.2)) return other;
	const { program_id } = random.pick(own);
	return WORLD.programs.find(({ id }) => id === program_id) ?? other;
}
