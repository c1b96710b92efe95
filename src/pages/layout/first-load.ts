import { CancelledError, type FetchQueryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * What a route's loader reads. A component that shows the same query gives the load up when it leaves the page or when a change
 * overtakes it: the page that waits for it still needs it.
 */
export async function firstLoad<Data, Key extends QueryKey>(
	client: QueryClient,
	query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
	for (;;) {
		try {
			return await client.ensureQueryData(query);
		} catch (error) {
			if (!(error instanceof CancelledError)) throw error;
		}
	}
}
