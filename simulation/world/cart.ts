import type { Random } from '../../testing/random.ts';
import { PRODUCTS } from './world.ts';

/** Includes credits and prorations. Sometimes a line is invalid, so that the lines do not select rules. */
export function aCart(random: Random): unknown[] {
	const lines = Array.from({ length: random.between(1, 5) }, () => ({
		product_id: random.chance(0.8) ? random.pick(PRODUCTS) : undefined,
		amount_cents: random.weighted([
			{ weight: 6, cents: random.between(1, 20_000) },
			{ weight: 2, cents: random.between(0, 3) * 100 },
			{ weight: 2, cents: -random.between(1, 5_000) },
		]).cents,
		proration: random.chance(0.2) ? true : undefined,
	}));
	const spoilt = [{ product_id: 'pro' }, { product_id: 'pro', amount_cents: 0.5 }, null, 'pro'];
	return random.chance(0.12) ? [...lines, random.pick(spoilt)] : lines;
}
