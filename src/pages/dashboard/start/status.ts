import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';

const ASKED_EVERY_MS = 5_000;

export type Status = Awaited<ReturnType<typeof readStatus>>;
export type Check = Status['checks'][number];

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

export function isOk({ checks }: Status, name: string): boolean {
	return checks.some((check) => check.name === name && check.ok);
}

export type Chain = Awaited<ReturnType<typeof readChain>>;

async function readChain(id: string, since: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id']['test-chain'].$get({ param: { id }, query: { since } }, { init: { signal } }))).data;
}

/** The newest click, sign-up, sale and refund since then, polled until all four have arrived. */
export function chainQuery(id: string, since: string) {
	return queryOptions({
		queryKey: ['test-chain', id, since],
		queryFn: ({ signal }) => readChain(id, since, signal),
		refetchInterval: ({ state }) => (state.data?.complete === true ? false : ASKED_EVERY_MS),
	});
}
