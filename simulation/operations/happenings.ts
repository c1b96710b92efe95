import type { Random } from '../../testing/random.ts';
import { isOrderNumber } from '../generators/custom.ts';
import { GENERATORS } from '../generators/generators.ts';
import type { Payer, Purchase, ParsedEvent } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { aBuyer, aProgramFor } from './operation.ts';

const MOST_REFUNDS = 3;

export function begin(sim: Simulation, random: Random): void {
	const { clickId, customerKey } = aBuyer(sim, random);
	const program = aProgramFor(sim, random, clickId, customerKey);
	const programId = random.weighted([
		{ weight: 13, named: undefined },
		{ weight: 6, named: program.id },
		{ weight: 1, named: (program.id % 3) + 1 },
	]).named;
	const { purchase, events } = GENERATORS[sim.processorOf(program)].begin(sim, random, {
		program,
		claims: { customerKey, clickId, programId },
	});
	sim.account.payers.push(purchase.payer);
	purchase.payer.purchases.push(purchase);
	postAll(sim, random, purchase, events);
}

/** A renewal, refund, dispute or cancellation. */
export function goOn(sim: Simulation, random: Random, payer: Payer): void {
	const { subscription, generate } = payer;
	if (payer.isPending) {
		const purchase = random.pick(payer.purchases);
		payer.isPending = false;
		return postAll(sim, random, purchase, generate.conclude(random, purchase));
	}
	if (subscription && random.chance(0.3)) {
		const { purchase, events } = generate.renew(random);
		payer.purchases.push(purchase);
		return postAll(sim, random, purchase, events);
	}
	const hasEnded = subscription !== undefined && random.chance(0.05);
	const purchase = random.pick(payer.purchases);
	if (hasEnded) return postAll(sim, random, purchase, generate.end(purchase));
	if (purchase.chargedCents > 0) reverse(sim, random, purchase);
}

function reverse(sim: Simulation, random: Random, purchase: Purchase): void {
	const { refunds, dispute, chargedCents, generate } = purchase;
	const open = refunds.find(({ hasFailed }) => !hasFailed);
	// Includes failed refunds, because a refund can still fail after all of them have been made.
	const left = chargedCents - refunds.reduce((sum, { cents }) => sum + cents, 0);
	const { what } = random.weighted([
		{ weight: refunds.length < MOST_REFUNDS && left > 0 ? 6 : 0, what: 'refund' },
		{ weight: open ? 2 : 0, what: 'failure' },
		{ weight: dispute.state === 'none' ? 2 : 0, what: 'dispute' },
		{ weight: dispute.state === 'open' ? 3 : 0, what: 'end' },
		// If a dispute is won and lost at the same instant, winning takes precedence.
		{ weight: dispute.state === 'won' && sim.now > dispute.at ? 3 : 0, what: 'again' },
		{ weight: 1, what: 'nothing' },
	]);
	if (what === 'refund') {
		const cents = random.chance(0.3) ? left : random.between(1, left);
		const { id, events } = generate.refund(random, cents);
		refunds.push({ id, cents, hasFailed: false });
		postAll(sim, random, purchase, events);
	}
	if (what === 'failure' && open) {
		open.hasFailed = true;
		postAll(sim, random, purchase, generate.fail(random, open.id));
	}
	if (what === 'dispute') {
		const { isInquiry, cents, events } = generate.contest(random);
		purchase.dispute = { state: isInquiry ? 'inquiry' : 'open', cents, at: sim.now };
		postAll(sim, random, purchase, events);
	}
	if (what === 'end') {
		const isWon = random.chance(0.6);
		postAll(sim, random, purchase, generate.decide(random, isWon));
		purchase.dispute = { ...dispute, state: isWon ? 'won' : 'lost', at: sim.now };
	}
	if (what === 'again') {
		postAll(sim, random, purchase, generate.loseAgain(random));
		purchase.dispute = { ...dispute, state: 'lost' };
	}
}

/** Several programs may share one account, so another program sometimes receives the event too. */
function postAll(sim: Simulation, random: Random, purchase: Purchase, events: readonly ParsedEvent[]): void {
	const { payer } = purchase;
	for (const event of events) {
		const elsewhere =
			random.chance(0.03) && !isOrderNumber(purchase.ids) ? WORLD.programs.filter((program) => program !== payer.program) : [];
		for (const program of [payer.program, ...elsewhere.slice(0, 1)]) {
			sim.account.post({ ...event, program, purchase, isLost: random.chance(0.03), isAcknowledged: false });
		}
	}
}
