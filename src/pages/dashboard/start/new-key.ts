import { queryOptions, skipToken } from '@tanstack/react-query';

/** The key of a new program: returned once, and cached in this tab for the setup. */
export function newKeyQuery(programId: string) {
	return queryOptions<string>({ queryKey: ['new-key', programId], queryFn: skipToken, staleTime: Infinity, gcTime: Infinity });
}
