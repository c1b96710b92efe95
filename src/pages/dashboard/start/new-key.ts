import { queryOptions, skipToken } from '@tanstack/react-query';

/** The key of a program that was made just now: told once, kept in this tab's memory for the set-up that follows. */
export function newKeyQuery(programId: string) {
	return queryOptions<string>({ queryKey: ['new-key', programId], queryFn: skipToken, staleTime: Infinity, gcTime: Infinity });
}
