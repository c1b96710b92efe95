import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { EVENT_TYPES } from '../../../domain/reporting/event-position.ts';
import { program } from '../parents.ts';
import { Day, ListSearch, oneOf, RangeSearch, searchOf, Text } from '../../layout/search.ts';
import { SERIES_NAMES } from './series.ts';

const overview = createRoute({
	getParentRoute: () => program,
	path: '/',
	validateSearch: searchOf({
		...RangeSearch,
		series: oneOf(...SERIES_NAMES),
		compare: oneOf('off', 'last_year', 'custom'),
		compare_from: Day,
		match_weekdays: oneOf('on'),
		partner_id: Text,
		link_id: Text,
		product_id: Text,
		country: Text,
		source: Text,
	}),
	component: lazyPage(() => import('./overview.tsx'), 'Overview'),
});

const events = createRoute({
	getParentRoute: () => program,
	path: '/events',
	validateSearch: searchOf({
		...ListSearch,
		...RangeSearch,
		type: oneOf(...EVENT_TYPES),
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
	component: lazyPage(() => import('./events.tsx'), 'Events'),
});

const customers = createRoute({
	getParentRoute: () => program,
	path: '/customers',
	validateSearch: searchOf({ ...ListSearch, ...RangeSearch, search: Text, status: Text, partner: Text }),
	component: lazyPage(() => import('./customers.tsx'), 'Customers'),
});

const erasures = createRoute({
	getParentRoute: () => program,
	path: '/customers/erasures',
	validateSearch: searchOf({ ...ListSearch }),
	component: lazyPage(() => import('./erasures.tsx'), 'Erasures'),
});

const customer = createRoute({
	getParentRoute: () => program,
	path: '/customers/$customerId',
	validateSearch: searchOf({ ...ListSearch }),
	component: lazyPage(() => import('./customer.tsx'), 'Customer'),
});

const explain = createRoute({
	getParentRoute: () => program,
	path: '/explain',
	validateSearch: searchOf({ transaction_id: Text, click_id: Text, customer_key: Text, payment_id: Text }),
	component: lazyPage(() => import('./explain.tsx'), 'Explain'),
});

const refusals = createRoute({
	getParentRoute: () => program,
	path: '/explain/refusals',
	validateSearch: searchOf({ ...ListSearch, operation: Text, transaction_id: Text, open: Text, routine: Text }),
	component: lazyPage(() => import('./refusals.tsx'), 'Refusals'),
});

export const ofProgram = [overview, events, customers, erasures, customer, explain, refusals] as const;
