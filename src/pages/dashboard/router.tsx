import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { ROUTER_OPTIONS } from '../layout/router-options.tsx';
import * as money from './money/routes.ts';
import { program, root, shell } from './parents.ts';
import * as partners from './partners/routes.ts';
import * as reports from './reports/routes.ts';
import * as settings from './settings/routes.ts';
import * as start from './start/routes.ts';

// Paths are in the routes.ts of each folder. A page's code loads when it is first opened.

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
		...ROUTER_OPTIONS,
	});

declare module '@tanstack/react-router' {
	interface Register {
		router: ReturnType<typeof createPages>;
	}
}
