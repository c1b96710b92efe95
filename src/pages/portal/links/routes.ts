import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ListSearch, RangeSearch } from '../../frame/search.ts';
import { membership } from '../parents.ts';

const links = createRoute({
	getParentRoute: () => membership,
	path: '/links',
	validateSearch: z.object(ListSearch),
	component: lazyRouteComponent(() => import('./links.tsx'), 'Links'),
});

const performance = createRoute({
	getParentRoute: () => membership,
	path: '/performance',
	validateSearch: z.object(RangeSearch),
	component: lazyRouteComponent(() => import('./performance.tsx'), 'Performance'),
});

export const ofMembership = [links, performance] as const;
