import { archiveCommissionRule } from '../../src/programs/archive-commission-rule.ts';
import { changeCommissionRule } from '../../src/programs/change-commission-rule.ts';
import { createCommissionRule } from '../../src/programs/create-commission-rule.ts';
import { updateProgram } from '../../src/programs/update-program.ts';
import { addPartner } from '../../src/partners/add-partner.ts';
import { changePartner } from '../../src/partners/change-partner.ts';
import { endMembership } from '../../src/partners/end-membership.ts';
import { movePartners } from '../../src/partners/move-partners.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { PRODUCTS, type Program, WORLD } from '../world/world.ts';
import { aProgram, insist, managed, type Operation } from './operation.ts';
import { deliverSome, tickOnce } from './work.ts';

export const rule: Operation = { kind: 'rule', weight: 5, races: true, run: changeRules };
export const partner: Operation = { kind: 'partner', weight: 4, races: true, run: changeMembership };
export const join: Operation = { kind: 'join', weight: 3, races: true, run: addAnyone };
export const settings: Operation = { kind: 'settings', weight: 3, races: false, overtakes: true, run: changeSettings };

async function changeRules(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const own = sim.rows.rules.filter(({ program_id }) => program_id === program.id);
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
	const of = random.weighted([
		{ weight: 2, whose: { partnerId: random.between(1, 4), groupId: null } },
		{ weight: 1, whose: { partnerId: null, groupId: random.between(1, 4) } },
		{ weight: 1, whose: { partnerId: null, groupId: null } },
	]).whose;
	const scope = {
		...of,
		productId: random.chance(0.5) ? random.pick(PRODUCTS) : null,
	};
	await insist(random, () =>
		sim.request('rule', { program, change: `${change} ${JSON.stringify({ ruleId, scope, sent })}` }, (ctx) => {
			if (change === 'archive') return archiveCommissionRule(ctx, managedNow(sim, program), ruleId);
			if (change === 'create') return createCommissionRule(ctx, managedNow(sim, program), scope, sent);
			return changeCommissionRule(ctx, managedNow(sim, program), ruleId, sent);
		}),
	);
}

async function changeMembership(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const own = sim.rows.memberships.filter(({ program_id }) => program_id === program.id);
	const partnerId = random.chance(0.9) ? random.pick(own).partner_id : random.between(1, 4);
	const change = random.weighted([
		{ weight: 3, name: 'suspended' as const },
		{ weight: 3, name: 'active' as const },
		{ weight: 1, name: 'ended' as const },
		{ weight: 2, name: 'group' as const },
		{ weight: 1, name: 'move' as const },
	]).name;
	const ofProgram = WORLD.groups.filter(([, programId]) => programId === program.id).map(([id]) => id);
	const groupId = ofProgram.length > 0 && random.chance(0.9) ? random.pick(ofProgram) : random.between(1, 4);
	const isOut = random.chance(0.2);
	const moved = own.filter(({ status }) => status !== 'ended').map(({ partner_id }) => partner_id);
	await insist(random, () =>
		sim.request('partner', { program, partnerId, change: `${change} ${groupId}` }, async (ctx) => {
			if (change === 'ended') return endMembership(ctx, managed(program), partnerId);
			if (change === 'move') return movePartners(ctx, managed(program), groupId, [...new Set([partnerId, ...moved])]);
			const changes = change === 'group' ? { groupId: isOut ? null : groupId } : { status: change };
			return changePartner(ctx, managed(program), partnerId, { name: undefined, status: undefined, groupId: undefined, ...changes });
		}),
	);
}

/** New, known in the workspace, or returning. */
async function addAnyone(sim: Simulation, random: Random, program: Program = aProgram(random)): Promise<void> {
	const email = `partner${random.between(1, 6)}@example.com`;
	const added = { name: 'Partner who joined', email, shortLink: undefined, groupId: undefined };
	await insist(random, () => sim.request('join', { program, email }, (ctx) => addPartner(ctx, managedNow(sim, program), added)));
}

/** Usually while the program still allows the change. Often a partner has just joined and another request runs at the same time. */
async function changeSettings(sim: Simulation, random: Random): Promise<void> {
	const isZone = random.chance(0.4);
	const beside = random.weighted([
		{ weight: 1, happens: undefined },
		{ weight: isZone ? 2 : 1, happens: addAnyone },
		{ weight: 1, happens: deliverSome },
		{ weight: isZone ? 1 : 4, happens: tickOnce },
	]).happens;
	const other = aProgram(random);
	const { sales, clicks, customers } = sim.rows;
	const fixed = new Set((isZone ? [...sales, ...clicks, ...customers] : sales).map(({ program_id }) => program_id));
	const free = random.shuffled(WORLD.programs.filter(({ id }) => !fixed.has(id)));
	const counted = free.find(({ id }) => customers.some(({ program_id }) => program_id === id));
	const program = random.chance(0.9) ? (counted ?? free[0] ?? other) : other;
	const change = isZone
		? { timeZone: random.pick(['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati']) }
		: { currency: random.pick(['USD', 'EUR', 'JPY']) };
	if (random.chance(0.6)) await addAnyone(sim, random, program);
	await Promise.all([
		insist(random, () => sim.request('settings', { program, change }, (ctx) => updateProgram(ctx, managed(program), change))),
		beside?.(sim, random),
	]);
}

/** The program with its current settings. */
function managedNow(sim: Simulation, program: Program) {
	const { currency = '', time_zone: timeZone = '' } = sim.rows.programs.find(({ id }) => id === program.id) ?? {};
	return { ...managed(program), currency, timeZone };
}
