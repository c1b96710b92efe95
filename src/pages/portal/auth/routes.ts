import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { root } from '../parents.ts';

// Where links in letters lead, of members too. src/http/pages.ts leads here from the addresses that stand in them.

const invitation = createRoute({
	getParentRoute: () => root,
	path: '/invitation',
	component: lazyPage(() => import('./invitation.tsx'), 'Invitation'),
});

const resetPassword = createRoute({
	getParentRoute: () => root,
	path: '/reset-password',
	component: lazyPage(() => import('./reset-password.tsx'), 'ResetPassword'),
});

export const outside = [invitation, resetPassword] as const;
