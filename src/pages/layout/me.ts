import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api.ts';

/** Includes the person's workspaces and partner accounts. */
export const meQuery = queryOptions({
	queryKey: ['me'],
	queryFn: async ({ signal }) => (await answerOf(api.v1.me.$get({}, { init: { signal } }))).data,
});
