import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';

const ASKED_EVERY_MS = 5_000;

export type Status = Awaited<ReturnType<typeof readStatus>>;

async function readStatus(id: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].status.$get({ param: { id } }, { init: { signal } }))).data;
}

/** The progress of the integration, polled while the page is visible. */
export function statusQuery(id: string) {
	return queryOptions({
		queryKey: ['status', id],
		queryFn: ({ signal }) => readStatus(id, signal),
		refetchInterval: ASKED_EVERY_MS,
	});
}
