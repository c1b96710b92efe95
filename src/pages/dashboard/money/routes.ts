import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { PAYOUT_STATUSES } from '../../../domain/payout-state.ts';
import { COMMISSION_STATES } from '../../words/commission.tsx';
import { program } from '../parents.ts';
import { lenient, ListSearch, RangeSearch, Text } from '../../frame/search.ts';

const commissions = createRoute({
	getParentRoute: () => program,
	path: '/commissions',
	validateSearch: z.object({
		...ListSearch,
		...RangeSearch,
		status: lenient(z.enum(COMMISSION_STATES)),
		partner: Text,
		currency: Text,
		search: Text,
		open: Text,
	}),
	component: lazyRouteComponent(() => import('./commissions.tsx'), 'Commissions'),
});

const due = createRoute({
	getParentRoute: () => program,
	path: '/payouts',
	validateSearch: z.object({ earned: lenient(z.literal('before-this-month')), minimum: lenient(z.literal('none')) }),
	component: lazyRouteComponent(() => import('./due.tsx'), 'Due'),
});

const toSend = createRoute({
	getParentRoute: () => program,
	path: '/payouts/to-send',
	validateSearch: z.object({ ...ListSearch, currency: Text, open: Text }),
	component: lazyRouteComponent(() => import('./to-send.tsx'), 'ToSend'),
});

const history = createRoute({
	getParentRoute: () => program,
	path: '/payouts/history',
	validateSearch: z.object({
		...ListSearch,
		status: lenient(z.enum(PAYOUT_STATUSES)),
		partner: Text,
		currency: Text,
		method: lenient(z.enum(['paypal', 'wise', 'bank', 'none'])),
		open: Text,
	}),
	component: lazyRouteComponent(() => import('./history.tsx'), 'History'),
});

export const ofProgram = [commissions, due, toSend, history] as const;
