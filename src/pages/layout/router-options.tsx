import { Skeleton } from '../ui/loaded.tsx';
import { NotFound, NotLoaded } from './root.tsx';

/** How the pages of either entry are gone through. */
export const ROUTER_OPTIONS = {
	defaultPreload: 'intent',
	// TanStack Query knows what is fresh.
	defaultPreloadStaleTime: 0,
	// Another program, partner or customer is another page: nothing of the one before stays on it.
	defaultRemountDeps: ({ params }: { params: unknown }) => params,
	scrollRestoration: true,
	// An address holds texts: without quotes around those that look like numbers.
	parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
	stringifySearch: (search: object) => {
		const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
		return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
	},
	defaultPendingComponent: () => <Skeleton lines={8} />,
	defaultErrorComponent: NotLoaded,
	defaultNotFoundComponent: NotFound,
} as const;
