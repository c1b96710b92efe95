// Stored in the URL. By default, a report is compared with the previous period.

export const COMPARED_WITH = {
	previous: 'Previous period',
	last_year: 'Same period last year',
	custom: 'Custom days',
	off: 'Nothing',
} as const;

export type ComparedWith = keyof typeof COMPARED_WITH;

export interface Compare {
	readonly compare?: Exclude<ComparedWith, 'previous'> | undefined;
	/** For custom days. */
	readonly compare_from?: string | undefined;
	readonly match_weekdays?: 'on' | undefined;
}

/** A report that shows no comparison requests one too, because its answer is cached with it. */
export function compareQuery({ compare, compare_from, match_weekdays }: Compare) {
	const weekdays = match_weekdays === 'on' ? { match_weekdays: 'true' as const } : {};
	if (compare === 'custom' && compare_from !== undefined) return { compare, compare_from, ...weekdays };
	if (compare === 'last_year') return { compare, ...weekdays };
	return { compare: 'previous' as const, ...(compare === 'off' ? {} : weekdays) };
}

export function isComparedWith(name: unknown): name is ComparedWith {
	return typeof name === 'string' && Object.hasOwn(COMPARED_WITH, name);
}
