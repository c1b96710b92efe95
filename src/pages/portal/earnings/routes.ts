import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { ListSearch, oneOf, RangeSearch, searchOf, Text } from '../../layout/search.ts';
import { COMMISSION_STATES } from '../../labels/commission.tsx';
import { membership } from '../parents.ts';

const commissions = createRoute({
	getParentRoute: () => membership,
	path: '/commissions',
	validateSearch: searchOf({ ...ListSearch, ...RangeSearch, status: oneOf(...COMMISSION_STATES), currency: Text, open: Text }),
	component: lazyPage(() => import('./commissions.tsx'), 'Commissions'),
});

const uncredited = createRoute({
	getParentRoute: () => membership,
	path: '/commissions/none',
	validateSearch: searchOf({ ...ListSearch, ...RangeSearch }),
	component: lazyPage(() => import('./uncredited.tsx'), 'Uncredited'),
});

const payouts = createRoute({
	getParentRoute: () => membership,
	path: '/payouts',
	validateSearch: searchOf({ ...ListSearch, open: Text }),
	component: lazyPage(() => import('./payouts.tsx'), 'Payouts'),
});

export const ofMembership = [commissions, uncredited, payouts] as const;
