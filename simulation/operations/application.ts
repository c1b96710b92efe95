import { approveApplications } from '../../src/applications/approve-applications.ts';
import { declineApplications } from '../../src/applications/decline-applications.ts';
import { endMembership } from '../../src/partners/end-membership.ts';
import { receiveApplication } from '../../src/applications/receive-application.ts';
import { erasePartner } from '../../src/privacy/erase-partner.ts';
import type { Random } from '../../testing/random.ts';
import type { MembershipRow } from '../world/rows-of-programs.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Program, WORLD } from '../world/world.ts';
import { aProgram, insist, managed, type Operation } from './operation.ts';

export const application: Operation = { kind: 'application', weight: 5, races: true, run: applyOrDecide };
export const farewell: Operation = { kind: 'farewell', weight: 1, races: true, run: eraseOne };

async function applyOrDecide(sim: Simulation, random: Random): Promise<void> {
	const open = sim.rows.applications.filter(({ status }) => status === 'open');
	if (open.length === 0 || random.chance(0.4)) return apply(sim, random);
	const { program_id: programId } = random.pick(open);
	const program = programOf(programId);
	const waiting = open.filter(({ program_id }) => program_id === programId).map(({ id }) => id);
	const ids = random.chance(0.3) ? waiting : [random.pick(waiting)];
	await Promise.all([
		decide(sim, random, { program, ids }),
		...(random.chance(0.3) ? [decide(sim, random, { program, ids: [random.pick(ids)] })] : []),
	]);
}

/** Sometimes sends two at once, or the applicant is already a partner. */
async function apply(sim: Simulation, random: Random): Promise<void> {
	const program = aProgram(random);
	const slug = WORLD.forms.find(([programId]) => programId === program.id)?.[1] ?? '';
	const email = `partner${random.between(1, 8)}@example.com`;
	const words = `I sell much, says ${email}`;
	const sent = { name: `Applicant ${email}`, email, message: words, termsVersion: undefined, applicant: undefined };
	await Promise.all(
		Array.from({ length: random.chance(0.15) ? 2 : 1 }, () =>
			insist(random, () => sim.request('apply', { program, email, words }, (ctx) => receiveApplication(ctx, slug, sent))),
		),
	);
}

async function decide(
	sim: Simulation,
	random: Random,
	params: { readonly program: Program; readonly ids: readonly number[] },
): Promise<void> {
	const { program, ids } = params;
	await insist(random, () =>
		random.chance(0.6)
			? sim.request('takeIn', params, (ctx) => approveApplications(ctx, managed(program), { ids }))
			: sim.request('decline', params, (ctx) => declineApplications(ctx, managed(program), ids, 'Not now')),
	);
}

/** Usually a partner without active memberships, because otherwise the erasure is refused. */
async function eraseOne(sim: Simulation, random: Random): Promise<void> {
	const { memberships } = sim.rows;
	const goingOn = memberships.filter(({ status }) => status !== 'ended');
	const gone = memberships.filter(({ partner_id: id }) => goingOn.every(({ partner_id }) => partner_id !== id));
	const { partner_id: partnerId, program_id: programId } = random.pick(gone.length > 0 && random.chance(0.6) ? gone : memberships);
	for (const membership of random.chance(0.8) ? goingOn : []) if (membership.partner_id === partnerId) await end(sim, random, membership);
	const program = programOf(programId);
	await insist(random, () => sim.request('erasePartner', { program, partnerId }, (ctx) => erasePartner(ctx, managed(program), partnerId)));
}

async function end(sim: Simulation, random: Random, { program_id: programId, partner_id: partnerId }: MembershipRow): Promise<void> {
	const program = programOf(programId);
	const params = { program, partnerId, change: 'ended' };
	await insist(random, () => sim.request('partner', params, (ctx) => endMembership(ctx, managed(program), partnerId)));
}

function programOf(programId: number): Program {
	const program = WORLD.programs.find(({ id }) => id === programId);
	if (!program) throw new Error('There is no such program');
	return program;
}
