import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { root } from '../parents.ts';

// The pages that links in emails open, for members too. src/http/pages.ts redirects the emailed URLs here.

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
