import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import { firstLoad } from '../layout/first-load.ts';
import { meQuery } from '../layout/me.ts';
import { Root } from '../layout/root.tsx';
import { membershipQuery } from './queries.ts';
import { Shell } from './shell.tsx';

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root });

/** Pages for signed-in people, with the navigation. */
export const shell = createRoute({
	getParentRoute: () => root,
	id: 'shell',
	loader: ({ context: { queryClient } }) => firstLoad(queryClient, meQuery),
	component: Shell,
});

/** Also for a program that the person has left. */
export const membership = createRoute({
	getParentRoute: () => shell,
	path: '/programs/$membershipId',
	loader: ({ context: { queryClient }, params }) => firstLoad(queryClient, membershipQuery(params.membershipId)),
});
