import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../parents.ts';

// Where links in letters lead, of members too. src/http/pages.ts leads here from the addresses that stand in them.

const invitation = createRoute({
	getParentRoute: () => root,
	path: '/invitation',
	component: lazyRouteComponent(() => import('./invitation.tsx'), 'Invitation'),
});

const resetPassword = createRoute({
	getParentRoute: () => root,
	path: '/reset-password',
	component: lazyRouteComponent(() => import('./reset-password.tsx'), 'ResetPassword'),
});

export const outside = [invitation, resetPassword] as const;
