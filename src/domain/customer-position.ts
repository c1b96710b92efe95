/** Where a customer stands in the list of a program's customers, newest first: no two share a place. */
export interface CustomerPosition {
	/** When it became known, ms since the epoch, UTC. */
	readonly at: number;
	readonly id: number;
}

/** The position as a cursor, and back; undefined for what is none. */
export function formatCustomerPosition({ at, id }: CustomerPosition): string {
	return `${at}.${id}`;
}

export function parseCustomerPosition(text: string): CustomerPosition | undefined {
	const match = /^(\d{1,15})\.([1-9]\d{0,14})$/.exec(text);
	return match ? { at: Number(match[1]), id: Number(match[2]) } : undefined;
}
