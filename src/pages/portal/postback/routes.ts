import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { ListSearch, searchOf } from '../../layout/search.ts';
import { membership } from '../parents.ts';

const postback = createRoute({
	getParentRoute: () => membership,
	path: '/postback',
	validateSearch: searchOf(ListSearch),
	component: lazyPage(() => import('./postback.tsx'), 'Postback'),
});

export const ofMembership = [postback] as const;
