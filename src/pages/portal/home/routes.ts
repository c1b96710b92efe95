import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { meQuery } from '../../frame/me.ts';
import { lenient, ListSearch, RangeSearch, Text } from '../../frame/search.ts';
import { firstMembership } from '../memberships.ts';
import { membership, root, shell } from '../parents.ts';

/** Leads to the program that was looked at last; who is a partner of none sees what to do. */
const index = createRoute({
	getParentRoute: () => shell,
	path: '/',
	beforeLoad: async ({ context: { queryClient } }) => {
		const first = firstMembership((await queryClient.ensureQueryData(meQuery)).partner_accounts);
		if (first) throw redirect({ to: '/programs/$membershipId', params: { membershipId: String(first.id) }, replace: true });
	},
	component: lazyRouteComponent(() => import('./no-program.tsx'), 'NoProgram'),
});

const signIn = createRoute({
	getParentRoute: () => root,
	path: '/sign-in',
	validateSearch: z.object({ next: Text }),
	component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
});

const notifications = createRoute({
	getParentRoute: () => shell,
	path: '/notifications',
	validateSearch: z.object({ ...ListSearch, unread: lenient(z.literal('yes')) }),
	component: lazyRouteComponent(() => import('./notifications.tsx'), 'Notifications'),
});

const home = createRoute({
	getParentRoute: () => membership,
	path: '/',
	validateSearch: z.object(RangeSearch),
	component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
});

export const outside = [signIn] as const;
export const inside = [index, notifications] as const;
export const ofMembership = [home] as const;
