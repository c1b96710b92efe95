import { receiveProcessorEvent } from '../../src/processor/receive-processor-event.ts';
import { replayProcessorEvent } from '../../src/processor/replay-processor-event.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Mail } from '../world/stripe-account.ts';
import { begin, goOn } from './stripe-happenings.ts';
import { signatureOf } from '../../testing/stripe/sign.ts';
import { type Program, WORLD } from '../world/world.ts';
import { insist, managed, type Operation } from './operation.ts';

/** So many people pay in a history: what is told of few meets again and again. */
const MOST_PAYERS = 2;

/** Something happens at Stripe, and some of what it has to tell arrives: late, twice, in any order. */
export const stripe: Operation = { kind: 'stripe', weight: 24, races: true, run: live };
/** Somebody else than Stripe sends an event, or an old one again. */
export const forge: Operation = { kind: 'forge', weight: 1, races: true, run: sendForged };
/** An owner has an event of the inbox processed anew. */
export const reopen: Operation = { kind: 'reopen', weight: 1, races: true, run: processAnew };

async function live(sim: Simulation, random: Random): Promise<void> {
	const { payers } = sim.account;
	const happenings = random.between(0, 2);
	for (let index = 0; index < happenings; index += 1) {
		const payer = payers[random.below(MOST_PAYERS)];
		if (payer) goOn(sim, random, payer);
		else if (payers.length < MOST_PAYERS) begin(sim, random);
	}
	const known = sim.account.mails().filter(({ isLost }) => !isLost);
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
	const arrivals = arriving.map((mail) => () => arrive(sim, random, mail));
	if (isAtOnce) await Promise.all(arrivals.map((arrival) => arrival()));
	else for (const arrival of arrivals) await arrival();
}

/** All that Stripe still has to send. */
export async function deliverMail(sim: Simulation, random: Random): Promise<void> {
	for (const mail of sim.account.mails()) if (!mail.isLost && !mail.isAcknowledged) await arrive(sim, random, mail);
}

async function arrive(sim: Simulation, random: Random, mail: Mail): Promise<void> {
	const { program, event } = mail;
	const body = JSON.stringify(event);
	await insist(random, async () => {
		const request = await receive(sim, program, event, body, signatureOf(body, program.signingSecret, sim.now), false);
		mail.isAcknowledged ||= request.answer?.state === 'answered';
		return request;
	});
}

function receive(sim: Simulation, program: Program, { id, type }: Mail['event'], body: string, signature: string, isForged: boolean) {
	const payload = new TextEncoder().encode(body);
	return sim.ask('webhook', { program, eventId: id, type, isForged }, (ctx) =>
		receiveProcessorEvent(ctx, { processor: 'stripe', programId: program.id }, { payload, header: () => signature }),
	);
}

async function sendForged(sim: Simulation, random: Random): Promise<void> {
	const [mail] = random.shuffled(sim.account.mails());
	if (!mail) return;
	const { program } = mail;
	const event = random.chance(0.5) ? mail.event : { ...mail.event, id: `evt_forged${random.bits()}` };
	const body = JSON.stringify(event);
	const other = WORLD.programs.find(({ id }) => id !== program.id)?.signingSecret ?? '';
	// Older than 5 minutes for every clock: those of two requests may differ.
	const { sent, secret, at } = random.weighted([
		{ weight: 2, sent: body, secret: other, at: sim.now },
		{ weight: 2, sent: body, secret: program.signingSecret, at: sim.now - random.between(400, 900) * 1000 },
		{ weight: 1, sent: body.slice(0, -random.between(1, 40)), secret: program.signingSecret, at: sim.now },
		{ weight: 1, sent: body.replace('"amount":', '"amount":1'), secret: 'whsec_', at: sim.now },
	]);
	const signed = sent === body ? sent : body;
	await receive(sim, program, event, sent, signatureOf(signed, secret, at), true);
}

async function processAnew(sim: Simulation, random: Random): Promise<void> {
	const [row] = random.shuffled(sim.rows.inbox);
	const program = WORLD.programs.find(({ id }) => id === row?.program_id);
	if (!row || !program) return;
	await insist(random, () => sim.ask('reopen', { program, id: row.id }, (ctx) => replayProcessorEvent(ctx, managed(program), row.id)));
}
