import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/** Refetches what is shown. A first load under way begins again, because its response may be older than the change. */
export async function refetchShown(client: QueryClient, filters: QueryFilters = {}): Promise<void> {
	await client.cancelQueries({ ...filters, type: 'active' });
	await client.invalidateQueries(filters);
}
