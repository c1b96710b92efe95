import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import { firstLoad } from '../layout/first-load.ts';
import { meQuery } from '../layout/me.ts';
import { Root } from '../layout/root.tsx';
import { programQuery, programsQuery } from './queries.ts';
import { Shell } from './shell.tsx';

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root });

/** Pages for signed-in people, with the navigation. */
export const shell = createRoute({
	getParentRoute: () => root,
	id: 'shell',
	loader: ({ context: { queryClient } }) => Promise.all([firstLoad(queryClient, meQuery), firstLoad(queryClient, programsQuery)]),
	component: Shell,
});

export const program = createRoute({
	getParentRoute: () => shell,
	path: '/programs/$programId',
	loader: ({ context: { queryClient }, params }) => firstLoad(queryClient, programQuery(params.programId)),
});
