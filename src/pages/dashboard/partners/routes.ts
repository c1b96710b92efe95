import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../layout/lazy-page.ts';
import { DIRECTIONS, PARTNER_RANKINGS } from '../../../domain/reporting/partner-ranking.ts';
import { MEMBERSHIP_STATES } from '../../labels/membership.tsx';
import { program } from '../parents.ts';
import { SERIES_NAMES } from '../reports/series.ts';
import { ListSearch, oneOf, RangeSearch, searchOf, Text } from '../../layout/search.ts';

const Status = oneOf(...MEMBERSHIP_STATES);

const PartnerSearch = searchOf({
	...ListSearch,
	...RangeSearch,
	status: Status,
	group: Text,
	search: Text,
	sort: oneOf(...PARTNER_RANKINGS),
	order: oneOf(...DIRECTIONS),
});
export type PartnerSearch = ReturnType<typeof PartnerSearch>;

const partners = createRoute({
	getParentRoute: () => program,
	path: '/partners',
	validateSearch: PartnerSearch,
	component: lazyPage(() => import('./partners.tsx'), 'Partners'),
});

const partner = createRoute({
	getParentRoute: () => program,
	path: '/partners/$partnerId',
	validateSearch: searchOf({ ...RangeSearch, series: oneOf(...SERIES_NAMES), link: Text }),
	component: lazyPage(() => import('./partner.tsx'), 'PartnerPage'),
});

const groups = createRoute({
	getParentRoute: () => program,
	path: '/groups',
	component: lazyPage(() => import('./groups.tsx'), 'Groups'),
});

const ApplicationSearch = searchOf({
	...ListSearch,
	status: oneOf('open', 'approved', 'declined'),
	search: Text,
	opened: Text,
});
export type ApplicationSearch = ReturnType<typeof ApplicationSearch>;

const applications = createRoute({
	getParentRoute: () => program,
	path: '/applications',
	validateSearch: ApplicationSearch,
	component: lazyPage(() => import('./applications/applications.tsx'), 'Applications'),
});

const links = createRoute({
	getParentRoute: () => program,
	path: '/links',
	validateSearch: searchOf({ ...ListSearch, partner: Text, search: Text, opened: Text }),
	component: lazyPage(() => import('./links/links.tsx'), 'Links'),
});

const coupons = createRoute({
	getParentRoute: () => program,
	path: '/coupons',
	validateSearch: searchOf({ ...ListSearch, partner: Text, search: Text, archived: oneOf('true', 'false') }),
	component: lazyPage(() => import('./links/coupons.tsx'), 'Coupons'),
});

const rules = createRoute({
	getParentRoute: () => program,
	path: '/rules',
	component: lazyPage(() => import('./rules/rules.tsx'), 'Rules'),
});

export const ofProgram = [partners, partner, groups, applications, links, coupons, rules] as const;
