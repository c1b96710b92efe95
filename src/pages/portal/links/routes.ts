import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { lenient, ListSearch, RangeSearch, Text } from '../../frame/search.ts';
import { membership } from '../parents.ts';
import { SERIES_NAMES } from './series.ts';

const links = createRoute({
	getParentRoute: () => membership,
	path: '/links',
	validateSearch: z.object({ ...ListSearch, open: Text }),
	component: lazyRouteComponent(() => import('./links.tsx'), 'Links'),
});

const performance = createRoute({
	getParentRoute: () => membership,
	path: '/performance',
	validateSearch: z.object({ ...RangeSearch, series: lenient(z.enum(SERIES_NAMES)), compare: lenient(z.literal('off')) }),
	component: lazyRouteComponent(() => import('./performance.tsx'), 'Performance'),
});

export const ofMembership = [links, performance] as const;
