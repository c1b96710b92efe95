import { Skeleton } from '../ui/loaded.tsx';
import { NotFound, NotLoaded } from './root.tsx';

/** Both entries share these. */
export const ROUTER_OPTIONS = {
	defaultPreload: 'intent',
	// TanStack Query decides whether data is fresh.
	defaultPreloadStaleTime: 0,
	// Another program, partner or customer remounts the page, so that no old state remains.
	defaultRemountDeps: ({ params }: { params: unknown }) => params,
	scrollRestoration: true,
	// Search params are plain text, without quotes around those that look like numbers.
	parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
	stringifySearch: (search: object) => {
		const entries = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
		return entries.length > 0 ? `?${new URLSearchParams(entries)}` : '';
	},
	defaultPendingComponent: () => <Skeleton lines={8} />,
	defaultErrorComponent: NotLoaded,
	defaultNotFoundComponent: NotFound,
} as const;
