import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { EVENT_TYPES } from '../../../domain/event-position.ts';
import { program } from '../parents.ts';
import { lenient, ListSearch, RangeSearch, Text } from '../../frame/search.ts';
import { SERIES_NAMES } from './series.ts';

const overview = createRoute({
	getParentRoute: () => program,
	path: '/',
	validateSearch: z.object({
		...RangeSearch,
		series: lenient(z.enum(SERIES_NAMES)),
		compare: lenient(z.literal('off')),
		partner_id: Text,
		link_id: Text,
		product_id: Text,
		country: Text,
		source: Text,
	}),
	component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});

const events = createRoute({
	getParentRoute: () => program,
	path: '/events',
	validateSearch: z.object({
		...ListSearch,
		...RangeSearch,
		type: lenient(z.enum(EVENT_TYPES)),
		partner_id: Text,
		link_id: Text,
		country: Text,
		customer_id: Text,
		customer_key: Text,
		transaction_id: Text,
		test: Text,
		live: Text,
		open: Text,
	}),
	component: lazyRouteComponent(() => import('./events.tsx'), 'Events'),
});

const customers = createRoute({
	getParentRoute: () => program,
	path: '/customers',
	validateSearch: z.object({ ...ListSearch, ...RangeSearch, search: Text, status: Text, partner: Text }),
	component: lazyRouteComponent(() => import('./customers.tsx'), 'Customers'),
});

const erasures = createRoute({
	getParentRoute: () => program,
	path: '/customers/erasures',
	validateSearch: z.object({ ...ListSearch }),
	component: lazyRouteComponent(() => import('./erasures.tsx'), 'Erasures'),
});

const customer = createRoute({
	getParentRoute: () => program,
	path: '/customers/$customerId',
	validateSearch: z.object({ ...ListSearch }),
	component: lazyRouteComponent(() => import('./customer.tsx'), 'Customer'),
});

const explain = createRoute({
	getParentRoute: () => program,
	path: '/explain',
	validateSearch: z.object({ transaction_id: Text, click_id: Text, customer_key: Text, payment_id: Text }),
	component: lazyRouteComponent(() => import('./explain.tsx'), 'Explain'),
});

const refusals = createRoute({
	getParentRoute: () => program,
	path: '/explain/refusals',
	validateSearch: z.object({ ...ListSearch, operation: Text, transaction_id: Text, open: Text, routine: Text }),
	component: lazyRouteComponent(() => import('./refusals.tsx'), 'Refusals'),
});

export const ofProgram = [overview, events, customers, erasures, customer, explain, refusals] as const;
