import { createRoute, redirect } from '@tanstack/react-router';
import { firstLoad } from '../../layout/first-load.ts';
import { lazyPage } from '../../layout/lazy-page.ts';
import { meQuery } from '../../layout/me.ts';
import { ListSearch, oneOf, searchOf, Text } from '../../layout/search.ts';
import { program, root, shell } from '../parents.ts';
import { programsQuery } from '../queries.ts';

const index = createRoute({
	getParentRoute: () => root,
	path: '/',
	beforeLoad: async ({ context: { queryClient } }) => {
		const { workspaces, partner_accounts } = await firstLoad(queryClient, meQuery);
		// A person who is only a partner belongs in the portal.
		if (workspaces.length === 0 && partner_accounts.length > 0) throw redirect({ href: '/portal', reloadDocument: true });
		const programs = await firstLoad(queryClient, programsQuery);
		const last = localStorage.getItem('program');
		const shown = programs.find(({ id }) => String(id) === last) ?? programs.at(-1);
		if (!shown) throw redirect({ to: '/programs/new' });
		throw redirect({ to: '/programs/$programId', params: { programId: String(shown.id) } });
	},
});

const signUp = createRoute({
	getParentRoute: () => root,
	path: '/sign-up',
	component: lazyPage(() => import('./sign-up.tsx'), 'SignUp'),
});

const newProgram = createRoute({
	getParentRoute: () => shell,
	path: '/programs/new',
	validateSearch: searchOf({ workspace: Text }),
	component: lazyPage(() => import('./new-program.tsx'), 'NewProgram'),
});

const notifications = createRoute({
	getParentRoute: () => shell,
	path: '/notifications',
	validateSearch: searchOf({ ...ListSearch, unread: oneOf('yes') }),
	component: lazyPage(() => import('./notifications.tsx'), 'Notifications'),
});

export const outside = [index, signUp] as const;
const setup = createRoute({
	getParentRoute: () => program,
	path: '/setup',
	component: lazyPage(() => import('./setup.tsx'), 'Setup'),
});

export const inside = [newProgram, notifications] as const;
export const ofProgram = [setup] as const;
