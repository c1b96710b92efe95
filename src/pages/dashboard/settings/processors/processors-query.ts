import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api.ts';

// The service lists the processors, so these pages contain no processor's name.

export const processorRoutes = api.v1.programs[':id'].processors;

async function listProcessors(id: string, signal: AbortSignal) {
	return (await answerOf(processorRoutes.$get({ param: { id } }, { init: { signal } }))).data;
}

/** Includes the program's connection to it. */
export type Processor = Awaited<ReturnType<typeof listProcessors>>[number];

export function processorsQuery(id: string) {
	return queryOptions({ queryKey: ['processors', id], queryFn: ({ signal }) => listProcessors(id, signal) });
}

type EventsQuery = Parameters<(typeof api.v1.programs)[':id']['processor-events']['$get']>[0]['query'];

async function listEvents(id: string, query: EventsQuery, signal: AbortSignal) {
	return answerOf(
		api.v1.programs[':id']['processor-events'].$get({ param: { id }, query: { ...query, total: 'true' } }, { init: { signal } }),
	);
}

/** Without its body. */
export type ListedEvent = Awaited<ReturnType<typeof listEvents>>['data'][number];

export function eventsQuery(id: string, query: EventsQuery) {
	return queryOptions({ queryKey: ['processor-events', id, query], queryFn: ({ signal }) => listEvents(id, query, signal) });
}
