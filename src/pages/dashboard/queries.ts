import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api.ts';

/** The first 200, without archived ones. */
export const programsQuery = queryOptions({
	queryKey: ['programs'],
	queryFn: async ({ signal }) => (await answerOf(api.v1.programs.$get({ query: { limit: '200' } }, { init: { signal } }))).data,
});

/** The newest 200. */
export const archivedProgramsQuery = queryOptions({
	queryKey: ['programs', 'archived'],
	queryFn: async ({ signal }) =>
		(await answerOf(api.v1.programs.$get({ query: { limit: '200', archived: 'true' } }, { init: { signal } }))).data,
});

export function programQuery(id: string) {
	return queryOptions({
		queryKey: ['program', id],
		queryFn: async ({ signal }) => (await answerOf(api.v1.programs[':id'].$get({ param: { id } }, { init: { signal } }))).data,
	});
}
