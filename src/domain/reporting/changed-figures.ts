import { type MetricDelta, DELTA_FIGURES, type DeltaFigures } from './metric-deltas.ts';

/** `values` has null for a dimension without a value. */
export interface DeltasOfChange {
	readonly programId: number;
	/** The program's currency. Rows with counts use it. */
	readonly currency: string;
	readonly moves: readonly MetricDelta[];
	readonly values: Readonly<Record<StoredDimension, string | null>>;
}

/** A partner's figures are the sum of their links', so partners have no rows. */
export const STORED_DIMENSIONS = ['link', 'product', 'country', 'source'] as const;
export type StoredDimension = (typeof STORED_DIMENSIONS)[number];

export interface Increment extends DeltaFigures {
	readonly programId: number;
	readonly day: string;
	readonly currency: string;
	readonly dimension?: StoredDimension;
	readonly value?: string;
}

/**
 * A day whose values alone change gets an increment without figures: reports look for values on the days that have totals, and the change
 * that counts the day's totals may be applied later.
 */
export function incrementsOfTotals(changes: readonly DeltasOfChange[]): Increment[] {
	const totals = summedUp(
		changes.flatMap((change) => change.moves.filter(({ onlyValues }) => !onlyValues).map((move) => incrementOf(change, move))),
	);
	const counted = new Set(totals.map(dayKey));
	const others = incrementsOfValues(changes).filter((increment) => !counted.has(dayKey(increment)));
	const opened = [...Map.groupBy(others, dayKey).values()].flatMap(([first]) => first ?? []);
	return [...totals, ...opened.map(({ programId, day, currency }) => ({ programId, day, currency }))];
}

function dayKey({ programId, day }: Increment): string {
	return `${programId} ${day}`;
}

/** Only sales have a product. Open leads and new partners are not broken down. */
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

/** Adds up to one increment per row, and omits zeros. */
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
