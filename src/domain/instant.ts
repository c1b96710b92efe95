/** ISO 8601, UTC; null stays null. */
export function isoOf(instant: number): string;
export function isoOf(instant: number | null): string | null;
export function isoOf(instant: number | null): string | null {
	return instant === null ? null : new Date(instant).toISOString();
}
