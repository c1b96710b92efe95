import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { root, shell } from '../parents.ts';
import { meQuery, programsQuery } from '../queries.ts';
import { Text } from '../search.ts';

const index = createRoute({
	getParentRoute: () => root,
	path: '/',
	beforeLoad: async ({ context: { queryClient } }) => {
		await queryClient.ensureQueryData(meQuery);
		const programs = await queryClient.ensureQueryData(programsQuery);
		const last = localStorage.getItem('program');
		const program = programs.find(({ id }) => String(id) === last) ?? programs[0];
		if (!program) throw redirect({ to: '/programs/new' });
		throw redirect({ to: '/programs/$programId', params: { programId: String(program.id) } });
	},
});

const signIn = createRoute({
	getParentRoute: () => root,
	path: '/sign-in',
	validateSearch: z.object({ next: Text }),
	component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
});

const signUp = createRoute({
	getParentRoute: () => root,
	path: '/sign-up',
	component: lazyRouteComponent(() => import('./sign-up.tsx'), 'SignUp'),
});

const newProgram = createRoute({
	getParentRoute: () => shell,
	path: '/programs/new',
	component: lazyRouteComponent(() => import('./new-program.tsx'), 'NewProgram'),
});

const notifications = createRoute({
	getParentRoute: () => shell,
	path: '/notifications',
	component: lazyRouteComponent(() => import('./notifications.tsx'), 'Notifications'),
});

export const outside = [index, signIn, signUp] as const;
export const inside = [newProgram, notifications] as const;
