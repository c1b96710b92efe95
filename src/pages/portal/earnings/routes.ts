import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { ListSearch, Text } from '../../frame/search.ts';
import { membership } from '../parents.ts';

const commissions = createRoute({
	getParentRoute: () => membership,
	path: '/commissions',
	validateSearch: z.object({ ...ListSearch, open: Text }),
	component: lazyRouteComponent(() => import('./commissions.tsx'), 'Commissions'),
});

const payouts = createRoute({
	getParentRoute: () => membership,
	path: '/payouts',
	validateSearch: z.object({ ...ListSearch, open: Text }),
	component: lazyRouteComponent(() => import('./payouts.tsx'), 'Payouts'),
});

export const ofMembership = [commissions, payouts] as const;
