import { rollUpDay } from '../src/reporting/roll-up-day.ts';
import type { Invariant } from './invariants/invariant.ts';
import { INVARIANTS } from './invariants/invariants.ts';
import { OPERATIONS } from './operations/operations.ts';
import { finishSearches } from './invariants/erasures-at-rest.ts';
import { checkInboxAtRest, noteAttributed } from './invariants/inbox-at-rest.ts';
import { checkCallsAtRest } from './invariants/postbacks.ts';
import { checkRetiredAtRest } from './invariants/retired.ts';
import { deliverEvents } from './operations/processor.ts';
import { deliverMessages, replayDeadLetters, tickOnce } from './operations/work.ts';
import type { ProcessorName } from './world/account.ts';
import { seedPlatform } from './world/platform.ts';
import { QUEUES } from './world/queue.ts';
import { Random, subSeed } from '../testing/random.ts';
import { settleAccounts } from './settle.ts';
import { type Ground, Simulation } from './world/simulation.ts';
import { RETIREMENT, type Theme, THEMES } from './world/theme.ts';
import { transcriptOf } from './transcript.ts';
import { dayIn } from './world/oracle.ts';
import { Violation } from './world/violation.ts';
import { LONGEST_REQUEST_MS, WORLD } from './world/world.ts';

/** Each step has its own seed, so that it stays the same if other steps are removed. */
export interface Step {
	readonly index: number;
	readonly kind: string;
	readonly seed: number;
}

/** Without sign-ups and sales, refunds and payouts would test little. */
const BEGINNING = [['click'], ['click'], ['lead', 'sale'], ['sale', 'race'], ['sale', 'clock', 'refund']] as const;

export interface History {
	readonly seed: number;
	readonly theme: Theme;
	/** The processor that each program uses. */
	readonly processors: readonly ProcessorName[];
	readonly steps: readonly Step[];
}

export interface Outcome {
	readonly counts: ReadonlyMap<string, number>;
	readonly steps: number;
	readonly failure: Failure | undefined;
}

export interface Failure {
	readonly invariant: string;
	readonly detail: string;
	/** Undefined if the failure was found only at the end. */
	readonly step: Step | undefined;
	readonly transcript: readonly string[];
}

export interface Focus {
	/** All programs use it. */
	readonly processor: ProcessorName | undefined;
	readonly isOnRetirement: boolean;
	/** Every history has this theme. */
	readonly theme?: Theme['name'] | undefined;
}

const NO_FOCUS: Focus = { processor: undefined, isOnRetirement: false };
/** The share of histories that retire clicks, if nothing else is chosen. */
const RETIREMENT_SHARE = 0.2;

export function historyOf(seed: number, { processor, isOnRetirement, theme: name }: Focus = NO_FOCUS): History {
	const random = new Random(seed);
	const drawn = random.weighted(THEMES);
	const chosen = THEMES.find((theme) => theme.name === (name ?? (processor && 'processors')));
	const isRetiring = isOnRetirement || new Random(subSeed(seed, -4)).chance(RETIREMENT_SHARE);
	const theme = chosen ?? (isRetiring ? RETIREMENT : drawn);
	const others = new Random(subSeed(seed, -2));
	const processors = WORLD.programs.map(() => processor ?? others.weighted(PROCESSOR_SHARES).name);
	return { seed, theme, processors, steps: stepsOf(seed, theme, random) };
}

const PROCESSOR_SHARES = [
	{ weight: 2, name: 'stripe' },
	{ weight: 1, name: 'custom' },
	{ weight: 1, name: 'paddle' },
] as const;

function stepsOf(seed: number, theme: Theme, random: Random): Step[] {
	const weighted = OPERATIONS.map(({ kind, weight }) => ({ kind, weight: Math.round(weight * 10 * (theme.times[kind] ?? 1)) }));
	const count = random.between(14, 24);
	return Array.from({ length: count }, (_, index) => {
		const kind = index < BEGINNING.length ? random.pick(BEGINNING[index] ?? []) : random.weighted(weighted).kind;
		return { index, kind, seed: subSeed(seed, index) };
	});
}

/** Runs the steps in order and checks every invariant after each. */
export function runHistory(ground: Ground, { seed, theme, processors, steps }: History, faultRate: number): Promise<Outcome> {
	return ground.undone(async () => {
		const sim = new Simulation(ground, theme, processors, subSeed(seed, -3));
		let current: Step | undefined;
		try {
			for (const step of steps) {
				current = step;
				await runStep(sim, step, faultRate);
			}
			current = undefined;
			await finish(sim);
			return { counts: sim.counts, steps: steps.length, failure: undefined };
		} catch (error) {
			if (!(error instanceof Violation)) throw error;
			const failure = { invariant: error.invariant, detail: error.message, step: current, transcript: transcriptOf(sim.journal.requests) };
			return { counts: sim.counts, steps: steps.length, failure };
		}
	});
}

async function runStep(sim: Simulation, { kind, seed }: Step, faultRate: number): Promise<void> {
	const operation = OPERATIONS.find((candidate) => candidate.kind === kind);
	if (!operation) throw new Error(`No operation is called ${kind}`);
	const random = new Random(seed);
	sim.now += random.below(4);
	sim.count(`step: ${kind}`);
	const clocks = new Random(subSeed(seed, 3));
	if (operation.overtakes && clocks.chance(SLOW_SHARE)) {
		sim.now += LONGEST_REQUEST_MS;
		sim.slowness = clocks;
		sim.count('step with slow requests');
	}
	await perform(sim, () => operation.run(sim, random), new Random(subSeed(seed, 1)), faultRate, subSeed(seed, 2));
}

async function perform(sim: Simulation, work: () => Promise<unknown>, random: Random, rate: number, seed: number): Promise<void> {
	seedPlatform(seed);
	sim.beginStep();
	let isDone = false;
	const done = work().finally(() => (isDone = true));
	// Only this step's requests are slow.
	sim.slowness = undefined;
	await sim.schedule.settle(random, { rate });
	if (!isDone) throw new Violation('every request ends', 'a request never ends');
	await done;
	const hasChanged = sim.endStep();
	if (hasChanged) noteAttributed(sim);
	if (hasChanged) countWaiting(sim);
	for (const invariant of INVARIANTS) if ((hasChanged && isConcerned(invariant, sim)) || invariant.onAnswers) invariant.check(sim);
}

/** Counts the outbox rows that appeared in this step, by kind. */
function countWaiting({ rows, before, counts }: Simulation): void {
	const known = new Set(before.outbox.map(({ id }) => id));
	for (const { id, kind } of rows.outbox) if (!known.has(id)) counts.set(`waits: ${kind}`, (counts.get(`waits: ${kind}`) ?? 0) + 1);
}

function isConcerned({ reads }: Invariant, { rows, before }: Simulation): boolean {
	return reads === undefined || reads.some((name) => rows[name] !== before[name]);
}

/** The share of concurrent steps that have slow requests. */
const SLOW_SHARE = 0.25;
/** Sweeps retry at increasing intervals. */
const ROUND_MS = 3_600_000;
/** Longer than any processor event stays parked. */
const LONGEST_WAIT_MS = 5 * 86_400_000;

/** Runs without faults until nothing is left open. Parked events wait until they expire. */
async function finish(sim: Simulation): Promise<void> {
	await perform(sim, () => deliverEvents(sim, new Random(1)), new Random(1), 0, subSeed(0, 5));
	await goRound(sim);
	if (sim.rows.inbox.some(({ settled_at }) => settled_at === null)) {
		sim.now += LONGEST_WAIT_MS;
		await goRound(sim);
	}
	checkAtRest(sim);
	checkInboxAtRest(sim);
	await finishCalls(sim);
	await finishRetirement(sim);
	let round = 0;
	const calmly = (work: () => Promise<unknown>) => perform(sim, work, new Random(1), 0, subSeed(round++, 6));
	await finishSearches(sim, () => calmly(() => tickOnce(sim)));
	await settleAccounts(sim, calmly);
}

/** Longer than any program of a history keeps clicks. */
const LONGEST_KEPT_MS = 100 * 86_400_000;

/** The first tick looks for clicks again after a fault; each further one retires one day. */
async function finishRetirement(sim: Simulation): Promise<void> {
	if (sim.rows.programs.every(({ click_retention_days: days }) => days === null)) return;
	sim.now += LONGEST_KEPT_MS;
	const calm = new Random(1);
	for (let round = 0; round < 4; round += 1) await perform(sim, () => tickOnce(sim), calm, 0, subSeed(round, 7));
	checkRetiredAtRest(sim);
	await verifyRetiredDays(sim);
}

/** Cron compares a closed day only once in a while, so its turn rarely comes within a history. */
async function verifyRetiredDays(sim: Simulation): Promise<void> {
	const zones = new Map(sim.rows.programs.map(({ id, time_zone }) => [id, time_zone]));
	for (const [index, { program_id: id, day }] of sim.rows.retiredDays.entries()) {
		const program = { id, timeZone: zones.get(id) ?? '' };
		const verify = () => sim.request('verify', {}, (ctx) => rollUpDay(ctx, program, day));
		await perform(sim, verify, new Random(1), 0, subSeed(index, 8));
	}
}

/** Every failed webhook call is due again by then. */
const LONGEST_RETRY_MS = 2 * 86_400_000;

async function finishCalls(sim: Simulation): Promise<void> {
	sim.network.isCalm = true;
	sim.now += LONGEST_RETRY_MS;
	await goRound(sim);
	checkCallsAtRest(sim);
}

async function goRound(sim: Simulation): Promise<void> {
	const calm = new Random(1);
	for (let round = 0; round < 12; round += 1) {
		sim.now += ROUND_MS;
		await perform(sim, () => deliverAll(sim), calm, 0, subSeed(round, 3));
		const isAtRest = sim.queues.messages.length === 0 && isNothingOpen(sim);
		if (isAtRest && round > 1) break;
		await perform(sim, () => tickOnce(sim), calm, 0, subSeed(round, 4));
	}
}

function checkAtRest(sim: Simulation): void {
	if (sim.queues.messages.length > 0) throw new Violation('all work ends', `${sim.queues.messages.length} messages are never settled`);
	const [open] = sim.rows.outbox;
	if (open) throw new Violation('all work ends', `outbox row ${open.id} (${open.kind}) never takes effect`);
	checkOrigins(sim);
	const owed = sim.rows.sales.find((sale) => sale.commission_state === 'failed');
	if (owed) throw new Violation('all work ends', `the owed commission of sale ${owed.id} is never created`);
	const held = sim.rows.commissions.find(
		(commission) => commission.status === 'pending' && commission.hold_until <= sim.now - 2 * ROUND_MS,
	);
	if (held) throw new Violation('all work ends', `commission ${held.id} stays on hold`);
	for (const { request, receipt } of sim.journal.answered('click')) {
		if (!sim.rows.clicks.some((click) => click.click_id === receipt.clickId) && !isOfDeletedDay(sim, receipt.clickId)) {
			throw new Violation('an acknowledged click is stored', `${receipt.clickId} of request ${request.id} has no row`);
		}
	}
}

/** Nobody knows whether a late click of a day was stored before the day's clicks were deleted. */
function isOfDeletedDay({ rows, issuedClicks }: Simulation, clickId: string): boolean {
	const visit = issuedClicks.get(clickId);
	const program = rows.programs.find(({ id }) => id === WORLD.links.find((link) => link.id === visit?.linkId)?.programId);
	if (!visit || !program) return false;
	const day = dayIn(program.time_zone, visit.clickedAt);
	return rows.retiredDays.some((retired) => retired.program_id === program.id && retired.day === day && retired.deleted > 0);
}

function checkOrigins({ rows, erased, clicks: stored }: Simulation): void {
	const clicks = new Map(rows.clicks.map((click) => [click.click_id, click]));
	const behind = rows.customers.find((customer) => {
		const { click_id, country, source } = customer;
		const click = clicks.get(click_id ?? '');
		// A click that is stored only after its erasure matches no customer. The customer of a retired click has only its link.
		return (
			click &&
			stored.isInTable(click) &&
			erased.asStored(customer).click_id === click_id &&
			(click.country !== country || click.source !== source)
		);
	});
	if (behind) throw new Violation('all work ends', `customer ${behind.id} never gets the country and source of its click`);
}

async function deliverAll(sim: Simulation): Promise<void> {
	for (const queue of [QUEUES.dead, QUEUES.clicks, QUEUES.effects, QUEUES.webhooks]) {
		await deliverMessages(
			sim,
			sim.queues.messages.filter((message) => message.queue === queue),
			new Set(),
		);
	}
	await replayDeadLetters(sim);
}

function isNothingOpen(sim: Simulation): boolean {
	return (
		sim.rows.outbox.length === 0 &&
		sim.rows.sales.every((sale) => sale.commission_state !== 'failed') &&
		sim.rows.inbox.every(({ state }) => state !== 'received' && state !== 'failed')
	);
}
