// Approving or rejecting all commissions that match a filter, in slices: where the walk stands, and what the next step of it is.

/** The last commission that the walk has passed: it goes partner by partner, each from its oldest commission on. */
export interface WalkPosition {
	readonly partnerProgramId: number;
	readonly id: number;
}

export interface Walked<Commission extends WalkPosition> {
	/** The commissions of the window that match, in any order. */
	readonly matches: readonly Commission[];
	/** The last commission of the window; undefined if the walk ends in it. */
	readonly end: WalkPosition | undefined;
}

export interface Step<Commission extends WalkPosition> {
	readonly chosen: readonly Commission[];
	/** Where the next slice goes on; undefined: there is nothing left to decide. */
	readonly after: WalkPosition | undefined;
}

/** Which commissions of a window a slice decides: at most `room`, and no more than are left of the number that was expected. */
export function stepOf<Commission extends WalkPosition>(
	{ matches, end }: Walked<Commission>,
	{ room, left }: { readonly room: number; readonly left: number },
): Step<Commission> {
	const inOrder = matches.toSorted((a, b) => a.partnerProgramId - b.partnerProgramId || a.id - b.id);
	const chosen = inOrder.slice(0, Math.min(room, left));
	if (chosen.length === left) return { chosen, after: undefined };
	const last = chosen.at(-1);
	return { chosen, after: chosen.length < inOrder.length && last ? { partnerProgramId: last.partnerProgramId, id: last.id } : end };
}
