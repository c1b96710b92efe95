import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ListSearch, oneOf, RangeSearch, searchOf, Text } from '../../frame/search.ts';
import { membership } from '../parents.ts';
import { SERIES_NAMES } from './series.ts';

const links = createRoute({
	getParentRoute: () => membership,
	path: '/links',
	validateSearch: searchOf({ ...ListSearch, open: Text }),
	component: lazyRouteComponent(() => import('./links.tsx'), 'Links'),
});

const performance = createRoute({
	getParentRoute: () => membership,
	path: '/performance',
	validateSearch: searchOf({ ...RangeSearch, series: oneOf(...SERIES_NAMES), compare: oneOf('off') }),
	component: lazyRouteComponent(() => import('./performance.tsx'), 'Performance'),
});

export const ofMembership = [links, performance] as const;
