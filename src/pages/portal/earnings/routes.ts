import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { lenient, ListSearch, RangeSearch, Text } from '../../frame/search.ts';
import { membership } from '../parents.ts';

/** In the order of their lives. */
export const COMMISSION_STATES = ['pending', 'approved', 'paid', 'refunded', 'reversed', 'rejected'] as const;

const commissions = createRoute({
	getParentRoute: () => membership,
	path: '/commissions',
	validateSearch: z.object({ ...ListSearch, ...RangeSearch, status: lenient(z.enum(COMMISSION_STATES)), currency: Text, open: Text }),
	component: lazyRouteComponent(() => import('./commissions.tsx'), 'Commissions'),
});

const unearned = createRoute({
	getParentRoute: () => membership,
	path: '/commissions/none',
	validateSearch: z.object({ ...ListSearch, ...RangeSearch }),
	component: lazyRouteComponent(() => import('./unearned.tsx'), 'Unearned'),
});

const payouts = createRoute({
	getParentRoute: () => membership,
	path: '/payouts',
	validateSearch: z.object({ ...ListSearch, open: Text }),
	component: lazyRouteComponent(() => import('./payouts.tsx'), 'Payouts'),
});

export const ofMembership = [commissions, unearned, payouts] as const;
