import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { COMMISSION_STATES } from '../../labels/commission.tsx';
import { program } from '../parents.ts';
import { ListSearch, oneOf, RangeSearch, searchOf, Text } from '../../layout/search.ts';

const commissions = createRoute({
	getParentRoute: () => program,
	path: '/commissions',
	validateSearch: searchOf({
		...ListSearch,
		...RangeSearch,
		status: oneOf(...COMMISSION_STATES),
		partner: Text,
		currency: Text,
		search: Text,
		open: Text,
	}),
	component: lazyPage(() => import('./commissions/commissions.tsx'), 'Commissions'),
});

const due = createRoute({
	getParentRoute: () => program,
	path: '/payouts',
	validateSearch: searchOf({
		...ListSearch,
		earned: oneOf('before-this-month'),
		minimum: oneOf('none'),
		search: Text,
		group: Text,
		method: oneOf('paypal', 'wise', 'bank', 'none'),
		status: oneOf('suspended', 'ended'),
	}),
	component: lazyPage(() => import('./payouts/due.tsx'), 'Due'),
});

const toSend = createRoute({
	getParentRoute: () => program,
	path: '/payouts/to-send',
	validateSearch: searchOf({ ...ListSearch, currency: Text, open: Text }),
	component: lazyPage(() => import('./payouts/to-send.tsx'), 'ToSend'),
});

const history = createRoute({
	getParentRoute: () => program,
	path: '/payouts/history',
	validateSearch: searchOf({
		...ListSearch,
		status: oneOf(...PAYOUT_STATUSES),
		partner: Text,
		currency: Text,
		method: oneOf('paypal', 'wise', 'bank', 'none'),
		open: Text,
	}),
	component: lazyPage(() => import('./payouts/history.tsx'), 'History'),
});

export const ofProgram = [commissions, due, toSend, history] as const;
