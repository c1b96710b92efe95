// Approves or rejects all commissions that match a filter, in slices.

/** The last commission that a run visited. It visits partner by partner, oldest commission first. */
export interface WalkPosition {
	readonly partnerProgramId: number;
	readonly id: number;
}

export interface Walked<Commission extends WalkPosition> {
	readonly matches: readonly Commission[];
	readonly end: WalkPosition | undefined;
}

export interface Step<Commission extends WalkPosition> {
	readonly selected: readonly Commission[];
	readonly after: WalkPosition | undefined;
}

/** Selects the commissions that a slice decides: at most `room`, and never more than the `left` that the caller expects. */
export function stepOf<Commission extends WalkPosition>(
	{ matches, end }: Walked<Commission>,
	{ room, left }: { readonly room: number; readonly left: number },
): Step<Commission> {
	const inOrder = matches.toSorted((a, b) => a.partnerProgramId - b.partnerProgramId || a.id - b.id);
	const selected = inOrder.slice(0, Math.min(room, left));
	if (selected.length === left) return { selected, after: undefined };
	const last = selected.at(-1);
	return { selected, after: selected.length < inOrder.length && last ? { partnerProgramId: last.partnerProgramId, id: last.id } : end };
}
