import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api.ts';

/** Who is signed in, the workspaces of which they are a member, and whom they are as a partner. */
export const meQuery = queryOptions({
	queryKey: ['me'],
	queryFn: async ({ signal }) => (await answerOf(api.v1.me.$get({}, { init: { signal } }))).data,
});
