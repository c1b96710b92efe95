import { receiveProcessorEvent } from '../../src/processor/receive-processor-event.ts';
import { replayProcessorEvent } from '../../src/processor/replay-processor-event.ts';
import type { Random } from '../../testing/random.ts';
import type { Delivery } from '../generators/generator.ts';
import { GENERATORS } from '../generators/generators.ts';
import type { EventDelivery, Sent } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import { secretOf, WORLD } from '../world/world.ts';
import { begin, goOn } from './happenings.ts';
import { insist, managed, type Operation } from './operation.ts';

/** Only a few payers, so that their events often collide. */
const MOST_PAYERS = 2;

/** Something happens at a processor, and some of its events arrive: late, twice, in any order. */
export const processor: Operation = { kind: 'processor', weight: 24, races: true, run: live };
export const forge: Operation = { kind: 'forge', weight: 1, races: true, run: sendForged };
export const reopen: Operation = { kind: 'reopen', weight: 1, races: true, run: processAnew };

async function live(sim: Simulation, random: Random): Promise<void> {
	const { payers } = sim.account;
	const happenings = random.between(0, 2);
	for (let index = 0; index < happenings; index += 1) {
		const payer = payers[random.below(MOST_PAYERS)];
		if (payer) goOn(sim, random, payer);
		else if (payers.length < MOST_PAYERS) begin(sim, random);
	}
	const known = sim.account.deliveries().filter(({ isLost }) => !isLost);
	const due = random.some(
		known.filter(({ isAcknowledged }) => !isAcknowledged),
		0.6,
	);
	const again = random.some(
		known.filter(({ isAcknowledged }) => isAcknowledged),
		0.08,
	);
	const arriving = random.shuffled([...due, ...due.filter(() => random.chance(0.1)), ...again]);
	const isAtOnce = random.chance(0.4);
	const arrivals = arriving.map((delivery) => () => arrive(sim, random, delivery));
	if (isAtOnce) await Promise.all(arrivals.map((arrival) => arrival()));
	else for (const arrival of arrivals) await arrival();
}

export async function deliverEvents(sim: Simulation, random: Random): Promise<void> {
	for (const delivery of sim.account.deliveries()) if (!delivery.isLost && !delivery.isAcknowledged) await arrive(sim, random, delivery);
}

async function arrive(sim: Simulation, random: Random, delivery: EventDelivery): Promise<void> {
	const { program, event, purchase } = delivery;
	const { processor: name, isTest } = purchase.payer;
	await insist(random, async () => {
		const request = await receive(sim, delivery, event, GENERATORS[name].deliver(event, secretOf(program, name, isTest), sim.now));
		delivery.isAcknowledged ||= request.answer?.state === 'answered';
		return request;
	});
}

function receive(sim: Simulation, { program, purchase }: EventDelivery, { id, type }: Sent, { body, headers }: Delivery, isForged = false) {
	const address = { processor: purchase.payer.processor, programId: program.id };
	const signed = { payload: new TextEncoder().encode(body), header: (name: string) => headers[name.toLowerCase()] };
	return sim.request('webhook', { program, eventId: id, type, isForged }, async (ctx) => {
		await receiveProcessorEvent(ctx, address, signed);
	});
}

async function sendForged(sim: Simulation, random: Random): Promise<void> {
	const [delivery] = random.shuffled(sim.account.deliveries());
	if (!delivery) return;
	const { program, purchase } = delivery;
	const { processor: name, isTest } = purchase.payer;
	const { deliver, renamed, signatureHeader } = GENERATORS[name];
	const event = random.chance(0.5) ? delivery.event : renamed(delivery.event, `evt_forged${random.bits()}`);
	const secret = secretOf(program, name, isTest);
	const genuine = deliver(event, secret, sim.now);
	const { headers } = deliver(renamed(event, `evt_other${random.bits()}`), secret, sim.now);
	const [other = program] = WORLD.programs.filter(({ id }) => id !== program.id);
	// More than 5 minutes old, even if the clocks of two requests differ.
	const { signed } = random.weighted([
		{ weight: 2, signed: deliver(event, secretOf(other, name, isTest), sim.now) },
		{ weight: 2, signed: deliver(event, secret, sim.now - random.between(400, 900) * 1000) },
		{ weight: 1, signed: altered(genuine, (body) => body.slice(0, -random.between(1, 40))) },
		{ weight: 1, signed: altered(genuine, (body) => body.replace(/\d(?=\D*$)/, '')) },
		// Uses the signature of another event.
		{ weight: 1, signed: { ...genuine, headers: { ...genuine.headers, [signatureHeader]: headers[signatureHeader] ?? '' } } },
	]);
	await receive(sim, delivery, event, signed, true);
}

function altered(signed: Delivery, change: (body: string) => string): Delivery {
	return { ...signed, body: change(signed.body) };
}

async function processAnew(sim: Simulation, random: Random): Promise<void> {
	const [row] = random.shuffled(sim.rows.inbox);
	const program = WORLD.programs.find(({ id }) => id === row?.program_id);
	if (!row || !program) return;
	await insist(random, () => sim.request('reopen', { program, id: row.id }, (ctx) => replayProcessorEvent(ctx, managed(program), row.id)));
}
