import { createRoute, redirect } from '@tanstack/react-router';
import { firstLoad } from '../../layout/first-load.ts';
import { lazyPage } from '../../layout/lazy-page.ts';
import { meQuery } from '../../layout/me.ts';
import { ListSearch, oneOf, RangeSearch, searchOf } from '../../layout/search.ts';
import { firstMembership } from '../memberships.ts';
import { membership, shell } from '../parents.ts';

/** Redirects to the program opened last. People without a program see what to do. */
const index = createRoute({
	getParentRoute: () => shell,
	path: '/',
	beforeLoad: async ({ context: { queryClient } }) => {
		const first = firstMembership((await firstLoad(queryClient, meQuery)).partner_accounts);
		if (first) throw redirect({ to: '/programs/$membershipId', params: { membershipId: String(first.id) }, replace: true });
	},
	component: lazyPage(() => import('./no-program.tsx'), 'NoProgram'),
});

const notifications = createRoute({
	getParentRoute: () => shell,
	path: '/notifications',
	validateSearch: searchOf({ ...ListSearch, unread: oneOf('yes') }),
	component: lazyPage(() => import('./notifications.tsx'), 'Notifications'),
});

const home = createRoute({
	getParentRoute: () => membership,
	path: '/',
	validateSearch: searchOf(RangeSearch),
	component: lazyPage(() => import('./home.tsx'), 'Home'),
});

export const inside = [index, notifications] as const;
export const ofMembership = [home] as const;
