import type { CommissionStatus } from '../refunds/reversal.ts';

// What changes of commissions mean for the sums that are kept of them, by state (decision 63).

const STATES = ['pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded'] as const satisfies readonly CommissionStatus[];
const FIGURES = ['Count', 'AmountCents', 'DeductedCents'] as const;

export type SumField = `${CommissionStatus}${(typeof FIGURES)[number]}`;

export const SUM_FIELDS: readonly SumField[] = STATES.flatMap((state) => FIGURES.map((figure): SumField => `${state}${figure}`));

/** By how much sums change. */
export type SumChange = { readonly [Field in SumField]?: number | undefined };

/** A commission as sums count it. */
export interface SummedCommission {
	readonly status: CommissionStatus;
	readonly amountCents: number;
	readonly deductedCents: number;
}

/** The commissions of one state in one currency, minor units. */
export interface CommissionSum extends SummedCommission {
	readonly currency: string;
	readonly count: number;
}

interface MadeCommission {
	readonly partnerProgramId: number;
	/** The day on which it was made. */
	readonly day: string;
	readonly currency: string;
}

/** By how much the sums of a partner change, for one day and currency. */
export interface StateMove extends MadeCommission {
	readonly sums: SumChange;
}

/** How a commission changes the sums: `before` is undefined if it is new. Empty if no sum changes. */
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

/** Without the fields that come to nothing. */
function addedUp(changes: readonly SumChange[]): SumChange {
	const sums = SUM_FIELDS.map((field) => [field, changes.reduce((sum, change) => sum + (change[field] ?? 0), 0)] as const);
	return Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
}

export interface SumIncrement extends StateMove {
	readonly programId: number;
}

interface ChangeOfSums {
	readonly programId: number;
	/** Other moves do not concern sums. */
	readonly moves: readonly (Pick<StateMove, 'day'> & {
		readonly [Field in Exclude<keyof StateMove, 'day'>]?: StateMove[Field] | null | undefined;
	})[];
}

/** Several changes together: one increment for each partner, day and currency. */
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

/** Several sums as one for each state and currency, without those of no commission. */
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

/** A row of sums, which has a column for each state and figure, as one sum for each state. */
export function sumsOfRow(currency: string, row: SumChange): CommissionSum[] {
	return STATES.map((status) => ({
		status,
		currency,
		count: row[`${status}Count`] ?? 0,
		amountCents: row[`${status}AmountCents`] ?? 0,
		deductedCents: row[`${status}DeductedCents`] ?? 0,
	}));
}
