import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { ListSearch, oneOf, RangeSearch, searchOf, Text } from '../../layout/search.ts';
import { membership } from '../parents.ts';
import { SERIES_NAMES } from './series.ts';

const links = createRoute({
	getParentRoute: () => membership,
	path: '/links',
	validateSearch: searchOf({ ...ListSearch, open: Text }),
	component: lazyPage(() => import('./links.tsx'), 'Links'),
});

const performance = createRoute({
	getParentRoute: () => membership,
	path: '/performance',
	validateSearch: searchOf({ ...RangeSearch, series: oneOf(...SERIES_NAMES), compare: oneOf('off') }),
	component: lazyPage(() => import('./performance.tsx'), 'Performance'),
});

export const ofMembership = [links, performance] as const;
