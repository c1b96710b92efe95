import { type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { refetchShown } from '../../ui/refetch.ts';

interface Run {
	readonly id: number;
	readonly state: string;
	readonly finished_at: string | null;
}

const NONE = 0;
/** If a run ended while the page was loading, the page may still show older figures. */
const PAGE_OPENS_WITHIN_MS = 60_000;

/** Refetches what is shown each time one of these runs, newest first, ends. They are undefined while they load. */
export function useRefetchAfterRun(runs: readonly Run[] | undefined, filters: QueryFilters): void {
	const client = useQueryClient();
	const ended = runs?.find(({ state }) => state !== 'running');
	const endedId = runs && (ended?.id ?? NONE);
	const before = useRef(endedId);
	const refetch = useEffectEvent(() => {
		const justEnded = Date.now() - Date.parse(ended?.finished_at ?? '') < PAGE_OPENS_WITHIN_MS;
		if (before.current !== undefined || justEnded) void refetchShown(client, filters);
	});
	useEffect(() => {
		if (endedId !== NONE && endedId !== before.current) refetch();
		before.current = endedId;
	}, [endedId]);
}
