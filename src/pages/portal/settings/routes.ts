import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { ListSearch, searchOf, Text } from '../../layout/search.ts';
import { shell } from '../parents.ts';

const account = createRoute({
	getParentRoute: () => shell,
	path: '/account',
	component: lazyPage(() => import('./settings-layout.tsx'), 'SettingsLayout'),
});

const ownAccount = createRoute({
	getParentRoute: () => account,
	path: '/',
	component: lazyPage(() => import('../../account/own-account.tsx'), 'OwnAccount'),
});

const payoutDetails = createRoute({
	getParentRoute: () => account,
	path: '/payout-details',
	component: lazyPage(() => import('./payout-details.tsx'), 'PayoutDetails'),
});

const sessions = createRoute({
	getParentRoute: () => account,
	path: '/sessions',
	validateSearch: searchOf(ListSearch),
	component: lazyPage(() => import('../../account/sessions.tsx'), 'Sessions'),
});

const mail = createRoute({
	getParentRoute: () => account,
	path: '/mail',
	component: lazyPage(() => import('../../account/mail.tsx'), 'Mail'),
});

const history = createRoute({
	getParentRoute: () => account,
	path: '/history',
	validateSearch: searchOf({ ...ListSearch, entry: Text }),
	component: lazyPage(() => import('../../account/own-history.tsx'), 'OwnHistory'),
});

export const inside = [account.addChildren([ownAccount, payoutDetails, sessions, mail, history])] as const;
