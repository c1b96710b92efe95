import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { Skeleton } from '../ui/loaded.tsx';
import * as money from './money/routes.ts';
import { program, root, shell } from './parents.ts';
import * as partners from './partners/routes.ts';
import * as reports from './reports/routes.ts';
import * as settings from './settings/routes.ts';
import { NotFound, NotLoaded } from './shell.tsx';
import * as start from './start/routes.ts';

// Every page has its address in the routes.ts of its folder. Its file is loaded when it is first opened.

const tree = root.addChildren([
	...start.outside,
	shell.addChildren([
		...start.inside,
		...settings.inside,
		program.addChildren([...start.ofProgram, ...reports.ofProgram, ...partners.ofProgram, ...money.ofProgram, ...settings.ofProgram]),
	]),
]);

export const createPages = (queryClient: QueryClient) =>
	createRouter({
		routeTree: tree,
		basepath: '/dashboard',
		context: { queryClient },
		defaultPreload: 'intent',
		// TanStack Query knows what is fresh.
		defaultPreloadStaleTime: 0,
		// Another program, partner or customer is another page: nothing of the one before stays on it.
		defaultRemountDeps: ({ params }) => params,
		scrollRestoration: true,
		// An address holds texts: without quotes around those that look like numbers.
		parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
		stringifySearch: (search) => {
			const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
			return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
		},
		defaultPendingComponent: () => <Skeleton lines={8} />,
		defaultErrorComponent: NotLoaded,
		defaultNotFoundComponent: NotFound,
	});

declare module '@tanstack/react-router' {
	interface Register {
		router: ReturnType<typeof createPages>;
	}
}
