import { store, useStored } from './stored.ts';

// Each browser keeps one choice for all lists.

const STORED = 'rows-per-page';
export const USUAL_SIZE = 50;
export const LEAST_SIZE = 25;
/** The API returns at most 200. */
export const PAGE_SIZES = [LEAST_SIZE, USUAL_SIZE, 100, 200];

/** How many rows a page of a list shows. */
export function usePageSize(): number {
	const stored = Number(useStored(STORED));
	return PAGE_SIZES.includes(stored) ? stored : USUAL_SIZE;
}

export function choosePageSize(size: number): void {
	store(STORED, String(size));
}

/** The query parameter. Undefined for the usual size, so that the request is the one that the service preloads. */
export function usePageLimit(): string | undefined {
	const size = usePageSize();
	return size === USUAL_SIZE ? undefined : String(size);
}
