import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../parents.ts';

const account = createRoute({
	getParentRoute: () => shell,
	path: '/account',
	component: lazyRouteComponent(() => import('./account.tsx'), 'Account'),
});

export const inside = [account] as const;
