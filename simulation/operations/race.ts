import { Random, subSeed } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import type { Operation } from './operation.ts';

/** Two to four concurrent operations about the same names. */
export function race(contestants: readonly Operation[]): Operation {
	return {
		kind: 'race',
		weight: 16,
		races: false,
		overtakes: true,
		async run(sim: Simulation, random: Random) {
			const racing = contestants.filter(({ kind, races }) => races && sim.theme.times[kind] !== 0);
			const seed = random.bits();
			const focus = random.below(100);
			const first = random.weighted(racing);
			const isTwin = random.chance(0.45);
			const runners = Array.from({ length: random.between(2, 4) }, (_, index) => (index === 0 || isTwin ? first : random.weighted(racing)));
			for (const { kind } of runners) sim.count(`step: ${kind}, racing`);
			sim.focus = focus;
			// Operations with the same seed send identical requests.
			const isSame = isTwin && random.chance(0.5);
			await Promise.all(runners.map((operation, index) => operation.run(sim, new Random(subSeed(seed, isSame ? 0 : index)))));
			sim.focus = undefined;
		},
	};
}
