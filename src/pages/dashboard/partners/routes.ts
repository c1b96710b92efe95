import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { DIRECTIONS, PARTNER_RANKINGS } from '../../../domain/partner-ranking.ts';
import { program } from '../parents.ts';
import { SERIES_NAMES } from '../reports/series.ts';
import { lenient, ListSearch, RangeSearch, Text } from '../../frame/search.ts';

const Status = lenient(z.enum(['active', 'suspended', 'ended']));

const PartnerSearch = z.object({
	...ListSearch,
	...RangeSearch,
	status: Status,
	group: Text,
	search: Text,
	sort: lenient(z.enum(PARTNER_RANKINGS)),
	order: lenient(z.enum(DIRECTIONS)),
});
export type PartnerSearch = z.output<typeof PartnerSearch>;

const partners = createRoute({
	getParentRoute: () => program,
	path: '/partners',
	validateSearch: PartnerSearch,
	component: lazyRouteComponent(() => import('./partners.tsx'), 'Partners'),
});

const partner = createRoute({
	getParentRoute: () => program,
	path: '/partners/$partnerId',
	validateSearch: z.object({ ...RangeSearch, series: lenient(z.enum(SERIES_NAMES)) }),
	component: lazyRouteComponent(() => import('./partner.tsx'), 'PartnerPage'),
});

const groups = createRoute({
	getParentRoute: () => program,
	path: '/groups',
	component: lazyRouteComponent(() => import('./groups.tsx'), 'Groups'),
});

const ApplicationSearch = z.object({
	...ListSearch,
	status: lenient(z.enum(['open', 'approved', 'declined'])),
	search: Text,
	opened: Text,
});
export type ApplicationSearch = z.output<typeof ApplicationSearch>;

const applications = createRoute({
	getParentRoute: () => program,
	path: '/applications',
	validateSearch: ApplicationSearch,
	component: lazyRouteComponent(() => import('./applications.tsx'), 'Applications'),
});

const links = createRoute({
	getParentRoute: () => program,
	path: '/links',
	validateSearch: z.object({ ...ListSearch, partner: Text }),
	component: lazyRouteComponent(() => import('./links.tsx'), 'Links'),
});

const rules = createRoute({
	getParentRoute: () => program,
	path: '/rules',
	component: lazyRouteComponent(() => import('./rules.tsx'), 'Rules'),
});

export const ofProgram = [partners, partner, groups, applications, links, rules] as const;
