import type { Gate } from '../../testing/d1/look-alike.ts';
import type { Random } from '../../testing/random.ts';
import { Fault } from '../../src/domain/fault.ts';
import { type Caller, isInjected, Schedule } from '../../simulation/world/schedule.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import type { Sandbox } from './sandbox.ts';

// Ways to deliver an order of events until everything has settled.

/** A Stripe delivery, or a backend call, which is repeated at the end because its sale may have been unknown at first. */
export type Happening = StripeEvent | BackendCall;
export type BackendCall = (sandbox: Sandbox, gate?: Gate) => Promise<unknown>;
export type Way = (sandbox: Sandbox, order: readonly Happening[], random: Random) => Promise<void>;

/** Processes each event before the next one arrives. */
export const oneByOne: Way = async (sandbox, order) => {
	for (const happening of order) {
		await happen(sandbox, happening);
		await sandbox.work();
	}
	await end(sandbox, order);
};

/** Some events arrive twice, immediately or later. */
export const doubled: Way = (sandbox, order, random) => {
	const twice = order.flatMap((happening) => (random.chance(0.4) ? [happening, happening] : [happening]));
	return oneByOne(sandbox, [...twice, ...random.some(order, 0.4)], random);
};

/** Receives everything before processing. */
export const piledUp: Way = async (sandbox, order) => {
	for (const happening of order) await happen(sandbox, happening);
	await end(sandbox, order);
};

/** The Worker dies after every receipt, so the tick processes the events. */
export const withoutMessages: Way = async (sandbox, order) => {
	for (const happening of order) {
		await happen(sandbox, happening);
		sandbox.messages = [];
	}
	await end(sandbox, order);
};

/** Delivers everything at once and twice, with database trips in random order. */
export const allAtOnce: Way = (sandbox, order, random) => race(sandbox, order, random, 0);

/** Like allAtOnce, with crashes, and with trips that are lost before or after they run. */
export const withFaults: Way = (sandbox, order, random) => race(sandbox, order, random, 0.15);

async function race(sandbox: Sandbox, order: readonly Happening[], random: Random, rate: number): Promise<void> {
	await together([...order, ...order].map(at(sandbox)), random, rate);
	// Unacknowledged deliveries are sent again.
	if (rate > 0) for (const happening of order) await happen(sandbox, happening);
	const jobs = sandbox.messages.splice(0).flatMap((job) => [job, job]);
	const deliveries = jobs.map((job) => (gate: Gate) => sandbox.process(job, gate));
	await together([...deliveries, ...order.filter(isCall).map(at(sandbox))], random, rate);
	await end(sandbox, order);
}

async function end(sandbox: Sandbox, order: readonly Happening[]): Promise<void> {
	await sandbox.comeToRest();
	for (const call of order.filter(isCall)) await call(sandbox);
	await sandbox.comeToRest();
}

function isCall(happening: Happening): happening is BackendCall {
	return typeof happening === 'function';
}

function happen(sandbox: Sandbox, happening: Happening, gate?: Gate): Promise<unknown> {
	return isCall(happening) ? happening(sandbox, gate) : sandbox.receive(happening, gate);
}

function at(sandbox: Sandbox) {
	return (happening: Happening) => (gate: Gate) => happen(sandbox, happening, gate);
}

/** Those that crash never continue. */
async function together(works: readonly ((gate: Gate) => Promise<unknown>)[], random: Random, rate: number): Promise<void> {
	const schedule = new Schedule(
		() => undefined,
		() => undefined,
	);
	const done = works.map(async (work, id) => {
		const crashed = Promise.withResolvers<void>();
		const caller: Caller = {
			id,
			isCrashed: false,
			calls: 0,
			faults: 0,
			crash() {
				this.isCrashed = true;
				crashed.resolve();
			},
		};
		const ended = work((call) => schedule.enter(caller, call)).catch((error: unknown) => {
			if (!isInjected(messageOf(error)) && !isOwedCommission(error)) throw error;
		});
		await Promise.race([ended, crashed.promise]);
	});
	await schedule.settle(random, { rate });
	await Promise.all(done);
}

/** The log names the cause, and sandbox.ts accepts only injected errors in it. */
function isOwedCommission(error: unknown): boolean {
	return error instanceof Fault && error.message === 'Failed to create commission';
}

function messageOf(error: unknown): string {
	return error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : '';
}
