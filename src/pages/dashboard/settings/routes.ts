import { createRoute, redirect } from '@tanstack/react-router';
import { WEBHOOK_TYPES } from '../../../domain/webhooks/webhook-type.ts';
import { lazyPage } from '../../layout/lazy-page.ts';
import { program, shell } from '../parents.ts';
import { Day, fitting, ListSearch, oneOf, searchOf, Text } from '../../layout/search.ts';
import { type EventState, isEventState } from './processors/event-states.ts';

const settings = createRoute({
	getParentRoute: () => program,
	path: '/settings',
	component: lazyPage(() => import('./layout.tsx'), 'Settings'),
});

const ofProgramItself = createRoute({
	getParentRoute: () => settings,
	path: '/',
	component: lazyPage(() => import('./program.tsx'), 'ProgramSettings'),
});

const keys = createRoute({
	getParentRoute: () => settings,
	path: '/keys',
	component: lazyPage(() => import('./keys.tsx'), 'Keys'),
});

const payments = createRoute({
	getParentRoute: () => settings,
	path: '/payments',
	component: lazyPage(() => import('./processors/payments.tsx'), 'Payments'),
});

const processor = createRoute({
	getParentRoute: () => settings,
	path: '/payments/$processor',
	component: lazyPage(() => import('./processors/processor.tsx'), 'ProcessorSettings'),
});

const YesNo = oneOf('true', 'false');

const EventSearch = {
	...ListSearch,
	processor: Text,
	state: fitting<EventState>(isEventState),
	type: Text,
	test: YesNo,
	event_id: Text,
	event: Text,
};

const paymentEvents = createRoute({
	getParentRoute: () => settings,
	path: '/payment-events',
	validateSearch: searchOf(EventSearch),
	component: lazyPage(() => import('./processors/payment-events.tsx'), 'PaymentEvents'),
});

const webhooks = createRoute({
	getParentRoute: () => settings,
	path: '/webhooks',
	component: lazyPage(() => import('./webhooks/webhooks.tsx'), 'Webhooks'),
});

const webhook = createRoute({
	getParentRoute: () => settings,
	path: '/webhooks/$webhookId',
	validateSearch: searchOf({
		...ListSearch,
		status: oneOf('pending', 'delivered', 'failed'),
		type: oneOf(...WEBHOOK_TYPES),
		delivery: Text,
	}),
	component: lazyPage(() => import('./webhooks/webhook.tsx'), 'WebhookPage'),
});

// Old paths, which bookmarks and emails still contain.

const stripe = createRoute({
	getParentRoute: () => settings,
	path: '/stripe',
	beforeLoad: ({ params: { programId } }) => {
		throw redirect({ to: '/programs/$programId/settings/payments/$processor', params: { programId, processor: 'stripe' }, replace: true });
	},
});

const stripeEvents = createRoute({
	getParentRoute: () => settings,
	path: '/stripe-events',
	validateSearch: searchOf(EventSearch),
	beforeLoad: ({ params: { programId }, search }) => {
		throw redirect({
			to: '/programs/$programId/settings/payment-events',
			params: { programId },
			search: { ...search, processor: 'stripe' },
			replace: true,
		});
	},
});

const team = createRoute({
	getParentRoute: () => settings,
	path: '/team',
	validateSearch: searchOf(ListSearch),
	component: lazyPage(() => import('./team.tsx'), 'Team'),
});

const auditLog = createRoute({
	getParentRoute: () => settings,
	path: '/audit-log',
	validateSearch: searchOf({
		...ListSearch,
		action: Text,
		program_id: Text,
		user_id: Text,
		from: Day,
		to: Day,
		entry: Text,
	}),
	component: lazyPage(() => import('./audit-log.tsx'), 'AuditLog'),
});

const undelivered = createRoute({
	getParentRoute: () => settings,
	path: '/undelivered',
	validateSearch: searchOf({ ...ListSearch, waiting: oneOf('true'), letter: Text }),
	component: lazyPage(() => import('./dead-letters.tsx'), 'DeadLetters'),
});

const service = createRoute({
	getParentRoute: () => settings,
	path: '/service',
	component: lazyPage(() => import('./service.tsx'), 'ServiceSettings'),
});

const data = createRoute({
	getParentRoute: () => settings,
	path: '/data',
	component: lazyPage(() => import('./data.tsx'), 'ProgramData'),
});

const workspace = createRoute({
	getParentRoute: () => shell,
	path: '/workspaces/$workspaceId',
	validateSearch: searchOf(ListSearch),
	component: lazyPage(() => import('./team.tsx'), 'WorkspaceTeam'),
});

const account = createRoute({
	getParentRoute: () => shell,
	path: '/account',
	component: lazyPage(() => import('./account-layout.tsx'), 'Account'),
});

const ownAccount = createRoute({
	getParentRoute: () => account,
	path: '/',
	component: lazyPage(() => import('../../account/own-account.tsx'), 'OwnAccount'),
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

export const ofProgram = [
	settings.addChildren([
		ofProgramItself,
		keys,
		payments,
		processor,
		paymentEvents,
		stripe,
		stripeEvents,
		webhooks,
		webhook,
		team,
		auditLog,
		undelivered,
		service,
		data,
	]),
] as const;
export const inside = [workspace, account.addChildren([ownAccount, sessions, mail, history])] as const;
