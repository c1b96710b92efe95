import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../api.ts';

interface LoadedProps<Data> {
	readonly query: UseQueryResult<Data>;
	/** How much room the data will take, lines. */
	readonly lines?: number;
	readonly children: (data: Data) => ReactNode;
}

/** What a query brought; until then its outline, and where it failed, why. */
export function Loaded<Data>({ query, lines = 4, children }: LoadedProps<Data>) {
	if (query.data !== undefined) return children(query.data);
	if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />;
	return <Skeleton lines={lines} />;
}

export function Skeleton({ lines }: { lines: number }) {
	return (
		<div className="skeleton" role="status">
			<span className="visually-hidden">Loading</span>
			{Array.from({ length: lines }, (_, line) => (
				<i key={line} aria-hidden="true" />
			))}
		</div>
	);
}

/** Why there is nothing to see, in the service's own words. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
	const isPassing = error instanceof ApiError && error.isPassing;
	return (
		<div className="empty" role="alert">
			<strong>{isPassing ? 'This could not be loaded' : 'There is nothing to show'}</strong>
			<span className="wrap">{error.message}</span>
			{retry && <Button onPress={retry}>Try again</Button>}
		</div>
	);
}

/** Nothing is there yet: what it would be, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
	return (
		<div className="empty">
			<strong>{title}</strong>
			{children}
		</div>
	);
}
