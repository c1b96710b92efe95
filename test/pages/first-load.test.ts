import { type FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { firstLoad } from '../../src/pages/layout/first-load.ts';

const queryWith = (queryFn: () => Promise<string>): FetchQueryOptions<string, Error, string, string[]> => ({
	queryKey: ['program', '1'],
	queryFn,
	retry: false,
});

test('a load that is given up meanwhile begins again', async () => {
	const client = new QueryClient();
	const read = vi
		.fn<() => Promise<string>>()
		.mockImplementationOnce(() => new Promise(() => undefined))
		.mockResolvedValue('the program');
	const loaded = firstLoad(client, queryWith(read));
	await client.cancelQueries();
	expect(await loaded).toBe('the program');
	expect(read).toHaveBeenCalledTimes(2);
});

test('a refusal is not asked for again', async () => {
	const read = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('Not found'));
	await expect(firstLoad(new QueryClient(), queryWith(read))).rejects.toThrow('Not found');
	expect(read).toHaveBeenCalledOnce();
});
