import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import { meQuery } from '../layout/me.ts';
import { Root } from '../layout/root.tsx';
import { membershipQuery } from './queries.ts';
import { Shell } from './shell.tsx';

// What the routes of pages stand under.

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root });

/** Everything for who is signed in: with the navigation around it. */
export const shell = createRoute({
	getParentRoute: () => root,
	id: 'shell',
	loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(meQuery),
	component: Shell,
});

/** Everything of one program, of which they are or were a partner. */
export const membership = createRoute({
	getParentRoute: () => shell,
	path: '/programs/$membershipId',
	loader: ({ context: { queryClient }, params }) => queryClient.ensureQueryData(membershipQuery(params.membershipId)),
});
