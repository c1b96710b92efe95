import type { CommissionStatus } from '../refunds/reversal.ts';

// How commissions change the stored sums per state (decision 63).

const STATES = ['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'] as const satisfies readonly CommissionStatus[];
const FIGURES = ['Count', 'AmountCents', 'DeductedCents'] as const;

export type SumField = `${CommissionStatus}${(typeof FIGURES)[number]}`;

export const SUM_FIELDS: readonly SumField[] = STATES.flatMap((state) => FIGURES.map((figure): SumField => `${state}${figure}`));

export type SumChange = { readonly [Field in SumField]?: number | undefined };

export interface SummedCommission {
	readonly status: CommissionStatus;
	readonly amountCents: number;
	readonly deductedCents: number;
}

export interface CommissionSum extends SummedCommission {
	readonly currency: string;
	readonly count: number;
}

interface MadeCommission {
	readonly partnerProgramId: number;
	readonly day: string;
	readonly currency: string;
}

/** A change of a partner's sums for one day and currency. */
export interface StateMove extends MadeCommission {
	readonly sums: SumChange;
}

/** How a commission changes the sums; `before` is undefined for a new one. Empty if nothing changes. */
export function deltasOfState(
	{ partnerProgramId, day, currency }: MadeCommission,
	before: SummedCommission | undefined,
	after: SummedCommission,
): StateMove[] {
	const sums = addedUp([...(before ? [figuresOf(before, -1)] : []), figuresOf(after, 1)]);
	return Object.keys(sums).length === 0 ? [] : [{ day, currency, partnerProgramId, sums }];
}

function figuresOf({ status, amountCents, deductedCents }: SummedCommission, sign: 1 | -1): SumChange {
	return {
		[`${status}Count`]: sign,
		[`${status}AmountCents`]: sign * amountCents,
		[`${status}DeductedCents`]: sign * deductedCents,
	};
}

function addedUp(changes: readonly SumChange[]): SumChange {
	const sums = SUM_FIELDS.map((field) => [field, changes.reduce((sum, change) => sum + (change[field] ?? 0), 0)] as const);
	return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

export interface SumIncrement extends StateMove {
	readonly programId: number;
}

interface ChangeOfSums {
	readonly programId: number;
	readonly moves: readonly (Pick<StateMove, 'day'> & {
		readonly [Field in Exclude<keyof StateMove, 'day'>]?: StateMove[Field] | null | undefined;
	})[];
}

export function incrementsOfSums(changes: readonly ChangeOfSums[]): SumIncrement[] {
	const increments = changes.flatMap(({ programId, moves }) =>
		moves.flatMap(({ day, currency, partnerProgramId, sums }) =>
			sums && currency && partnerProgramId ? [{ programId, partnerProgramId, day, currency, sums }] : [],
		),
	);
	const byRow = Map.groupBy(increments, ({ programId, partnerProgramId, day, currency }) =>
		JSON.stringify([programId, partnerProgramId, day, currency]),
	);
	return [...byRow.values()].flatMap((ofRow) => {
		const [first] = ofRow;
		const sums = addedUp(ofRow.map((increment) => increment.sums));
		return first && Object.keys(sums).length > 0 ? [{ ...first, sums }] : [];
	});
}

export function sumsByState(parts: readonly CommissionSum[]): CommissionSum[] {
	const byState = Map.groupBy(parts, ({ status, currency }) => `${status} ${currency}`);
	return [...byState]
		.toSorted(([one], [other]) => (one < other ? -1 : 1))
		.flatMap(([, [first, ...others]]) => {
			if (!first) return [];
			const sum = others.reduce(
				(all, part) => ({
					...all,
					count: all.count + part.count,
					amountCents: all.amountCents + part.amountCents,
					deductedCents: all.deductedCents + part.deductedCents,
				}),
				first,
			);
			return sum.count === 0 ? [] : [sum];
		});
}

/** Splits a row with a column per state and figure into sums per state. */
export function sumsOfRow(currency: string, row: SumChange): CommissionSum[] {
	return STATES.map((status) => ({
		status,
		currency,
		count: row[`${status}Count`] ?? 0,
		amountCents: row[`${status}AmountCents`] ?? 0,
		deductedCents: row[`${status}DeductedCents`] ?? 0,
	}));
}
