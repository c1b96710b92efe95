import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { ROUTER_OPTIONS } from '../layout/router-options.tsx';
import * as door from './auth/routes.ts';
import * as earnings from './earnings/routes.ts';
import * as home from './home/routes.ts';
import * as links from './links/routes.ts';
import { membership, root, shell } from './parents.ts';
import * as postback from './postback/routes.ts';
import * as settings from './settings/routes.ts';

// Paths are in the routes.ts of each folder. A page's code loads when it is first opened.

const tree = root.addChildren([
	...door.outside,
	shell.addChildren([
		...home.inside,
		...settings.inside,
		membership.addChildren([...home.ofMembership, ...links.ofMembership, ...earnings.ofMembership, ...postback.ofMembership]),
	]),
]);

export const createPages = (queryClient: QueryClient) =>
	createRouter({
		routeTree: tree,
		basepath: '/portal',
		context: { queryClient },
		...ROUTER_OPTIONS,
	});

declare module '@tanstack/react-router' {
	interface Register {
		router: ReturnType<typeof createPages>;
	}
}
