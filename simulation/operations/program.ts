import { archiveCommissionRule } from '../../src/programs/archive-commission-rule.ts';
import { changeCommissionRule } from '../../src/programs/change-commission-rule.ts';
import { createCommissionRule } from '../../src/programs/create-commission-rule.ts';
import { changePartner } from '../../src/partners/change-partner.ts';
import { endMembership } from '../../src/partners/end-membership.ts';
import type { Random } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { PRODUCTS } from '../world.ts';
import { actorOf, aProgram, insist, managed, type Operation } from './operation.ts';

export const rule: Operation = { kind: 'rule', weight: 5, races: true, run: changeRules };
export const partner: Operation = { kind: 'partner', weight: 4, races: true, run: changeMembership };

/** A rule is made, changed or taken out of force. */
async function changeRules(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const actor = actorOf(program);
	const own = sim.rows.rules.filter((rule) => rule.program_id === program.id);
	const ruleId = own.length > 0 && random.chance(0.9) ? random.pick(own).id : random.between(1, 10);
	const change = random.weighted([
		{ weight: 3, name: 'change' },
		{ weight: 2, name: 'create' },
		{ weight: 1, name: 'archive' },
	]).name;
	const terms = random.chance(0.7)
		? { type: 'percent' as const, basisPoints: random.chance(0.5) ? random.between(0, 10_000) : random.between(0, 100) * 100 }
		: { type: 'flat' as const, amountCents: random.between(0, 1_000) };
	const sent = {
		...terms,
		recurringMonths: random.chance(0.4) ? random.between(0, 4) : null,
		holdDays: random.chance(0.5) ? 0 : random.between(1, 40),
	};
	const scope = {
		partnerId: random.chance(0.5) ? random.between(1, 4) : null,
		productId: random.chance(0.5) ? random.pick(PRODUCTS) : null,
	};
	await insist(random, () =>
		sim.ask('rule', { program, change: `${change} ${JSON.stringify({ ruleId, scope, sent })}` }, (ctx) => {
			if (change === 'archive') return archiveCommissionRule(ctx, actor, program.id, ruleId);
			if (change === 'create') return createCommissionRule(ctx, actor, program.id, scope, sent);
			return changeCommissionRule(ctx, actor, program.id, ruleId, sent);
		}),
	);
}

/** A partner is suspended, taken back, or leaves. */
async function changeMembership(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const own = sim.rows.memberships.filter((membership) => membership.program_id === program.id);
	const partnerId = random.chance(0.9) ? random.pick(own).partner_id : random.between(1, 4);
	const change = random.weighted([
		{ weight: 3, name: 'suspended' as const },
		{ weight: 3, name: 'active' as const },
		{ weight: 1, name: 'ended' as const },
	]).name;
	await insist(random, () =>
		sim.ask('partner', { program, partnerId, change }, (ctx) =>
			change === 'ended'
				? endMembership(ctx, actorOf(program), managed(program), partnerId)
				: changePartner(ctx, actorOf(program), managed(program), partnerId, { name: undefined, status: change }),
		),
	);
}
