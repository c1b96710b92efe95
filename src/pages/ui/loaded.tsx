import type { UseQueryResult } from '@tanstack/react-query';
import { Inbox, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../api.ts';

interface LoadedProps<Data> {
	readonly query: UseQueryResult<Data>;
	/** The height to reserve, in lines. */
	readonly lines?: number;
	readonly children: (data: Data) => ReactNode;
}

/** A skeleton while the data loads, or the error. */
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

export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
	const isPassing = error instanceof ApiError && error.isPassing;
	return (
		<div className="empty" role="alert">
			<TriangleAlert strokeWidth={1.75} />
			<strong>{isPassing ? 'This could not be loaded' : 'There is nothing to show'}</strong>
			<span className="wrap">{error.message}</span>
			{retry && <Button onPress={retry}>Try again</Button>}
		</div>
	);
}

/** Explains what will be here and what to do. */
export function Empty({ title, icon: Icon = Inbox, children }: { title: string; icon?: LucideIcon; children?: ReactNode }) {
	return (
		<div className="empty">
			<Icon strokeWidth={1.75} />
			<strong>{title}</strong>
			{children}
		</div>
	);
}
