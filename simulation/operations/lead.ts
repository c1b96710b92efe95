import { recordLead } from '../../src/leads/record-lead.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { aClickId, aKey, aName, aProgramFor, insist, type Operation } from './operation.ts';

/** A page or a backend reports a sign-up with any combination of ids. */
export const lead: Operation = { kind: 'lead', weight: 10, races: true, run: signUp };

async function signUp(sim: Simulation, random: Random): Promise<void> {
	const isServer = random.chance(0.55);
	const ids = random.weighted([
		{ weight: 4, withKey: true, withClick: true },
		{ weight: 2, withKey: true, withClick: false },
		{ weight: 3, withKey: false, withClick: true },
	]);
	const clickId = ids.withClick ? aClickId(sim, random) : undefined;
	const program = aProgramFor(sim, random, clickId);
	const report = {
		clickId,
		customerKey: ids.withKey ? aKey(sim, random) : undefined,
		email: random.chance(0.6) ? `${aName(sim, random, 'mail', 2)}@example.com` : undefined,
		isTest: random.chance(0.08),
	};
	const source = isServer ? ({ mode: 'server', keyHash: program.keyHash } as const) : ({ mode: 'browser', origin: undefined } as const);
	await insist(random, () => sim.request('lead', { program, lead: report, isServer }, (ctx) => recordLead(ctx, report, source)));
}
