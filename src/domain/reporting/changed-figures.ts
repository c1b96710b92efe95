import { type MetricDelta, DELTA_FIGURES, type DeltaFigures } from './metric-deltas.ts';

/** What one change moves, and the values under which that stands in the breakdown; null: under none. */
export interface DeltasOfChange {
	readonly programId: number;
	/** The program's own, in which counts stand. */
	readonly currency: string;
	readonly moves: readonly MetricDelta[];
	readonly values: Readonly<Record<StoredDimension, string | null>>;
}

/** The dimensions that the breakdown has rows of: a partner has what its links have. */
export const STORED_DIMENSIONS = ['link', 'product', 'country', 'source'] as const;
export type StoredDimension = (typeof STORED_DIMENSIONS)[number];

/** By how much one daily row rises, or one row of the breakdown. */
export interface Increment extends DeltaFigures {
	readonly programId: number;
	readonly day: string;
	readonly currency: string;
	readonly dimension?: StoredDimension;
	readonly value?: string;
}

/** What changes come to in the daily rows, one increment for each row that changes. */
export function incrementsOfTotals(changes: readonly DeltasOfChange[]): Increment[] {
	return summedUp(
		changes.flatMap((change) => change.moves.filter(({ onlyValues }) => !onlyValues).map((move) => incrementOf(change, move))),
	);
}

/** The same in the breakdown: only sales have a product, and neither open leads nor partners are broken down. */
export function incrementsOfValues(changes: readonly DeltasOfChange[]): Increment[] {
	return summedUp(
		changes.flatMap((change) =>
			STORED_DIMENSIONS.flatMap((dimension) => {
				const value = change.values[dimension];
				if (!value) return [];
				const counts = dimension === 'product' ? { leads: 0, conversions: 0 } : {};
				return change.moves.map((move) => ({ ...incrementOf(change, move), ...counts, openLeads: 0, partners: 0, dimension, value }));
			}),
		),
	);
}

function incrementOf({ programId, currency }: DeltasOfChange, move: MetricDelta): Increment {
	return { ...move, programId, currency: move.currency ?? currency };
}

/** One increment a row; none where it comes to nothing. */
function summedUp(increments: readonly Increment[]): Increment[] {
	const byRow = Map.groupBy(increments, ({ programId, day, currency, dimension, value }) =>
		JSON.stringify([programId, day, currency, dimension, value]),
	);
	return [...byRow.values()].flatMap((ofRow) => {
		const figures: { -readonly [Figure in keyof DeltaFigures]: DeltaFigures[Figure] } = {};
		for (const figure of DELTA_FIGURES) {
			const sum = ofRow.reduce((total, increment) => total + (increment[figure] ?? 0), 0);
			if (sum !== 0) figures[figure] = sum;
		}
		const [first] = ofRow;
		if (!first || Object.keys(figures).length === 0) return [];
		const { programId, day, currency, dimension, value } = first;
		return [{ programId, day, currency, ...(dimension && value ? { dimension, value } : {}), ...figures }];
	});
}
