import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ListSearch, searchOf, Text } from '../../frame/search.ts';
import { shell } from '../parents.ts';

const account = createRoute({
	getParentRoute: () => shell,
	path: '/account',
	component: lazyRouteComponent(() => import('./settings-frame.tsx'), 'SettingsFrame'),
});

const ownAccount = createRoute({
	getParentRoute: () => account,
	path: '/',
	component: lazyRouteComponent(() => import('../../account/own-account.tsx'), 'OwnAccount'),
});

const payoutDetails = createRoute({
	getParentRoute: () => account,
	path: '/payout-details',
	component: lazyRouteComponent(() => import('./payout-details.tsx'), 'PayoutDetails'),
});

const sessions = createRoute({
	getParentRoute: () => account,
	path: '/sessions',
	validateSearch: searchOf(ListSearch),
	component: lazyRouteComponent(() => import('../../account/sessions.tsx'), 'Sessions'),
});

const mail = createRoute({
	getParentRoute: () => account,
	path: '/mail',
	component: lazyRouteComponent(() => import('../../account/mail.tsx'), 'Mail'),
});

const history = createRoute({
	getParentRoute: () => account,
	path: '/history',
	validateSearch: searchOf({ ...ListSearch, entry: Text }),
	component: lazyRouteComponent(() => import('../../account/own-history.tsx'), 'OwnHistory'),
});

export const inside = [account.addChildren([ownAccount, payoutDetails, sessions, mail, history])] as const;
