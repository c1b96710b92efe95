import * as z from 'zod/mini';
import { MeRequest, type me as meRoutes } from '../../../http/management/accounts/me.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, CurrencyCode, Id, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf, type Operation } from '../../operation.ts';
import { AuditEntry } from './audit-log.ts';
import { User } from './auth.ts';
import { Workspace } from './workspaces.ts';

export const PartnerStatus = is(
	z.enum(['active', 'suspended', 'ended']),
	'`active`; `suspended`: links do not work and sales earn nothing; `ended`: no longer a partner of the program.',
);

export const PartnerAccount = named(
	'PartnerAccount',
	'A partner of a workspace, for the person who accepted its invitation.',
	z.object({
		partner_id: is(Id, "The partner's id."),
		name: is(Text, "The partner's name in the workspace."),
		workspace_id: is(Id, "The workspace's id."),
		workspace_name: is(Text, "The workspace's name."),
		partner_programs: is(
			z.array(
				z.object({
					id: is(Id, "The membership's id, as in `/api/v1/partner-programs/:id`."),
					status: PartnerStatus,
					program: is(
						z.object({
							id: is(Id, "The program's id."),
							name: is(Text, "The program's name."),
							domain: is(z.nullable(Text), "The shop's domain."),
							currency: is(CurrencyCode, 'The ISO 4217 currency code.'),
						}),
						'The program.',
					),
				}),
			),
			'The programs that the partner is or was in, oldest membership first, at most 200.',
		),
	}),
);

export const me: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/me',
		id: 'readMe',
		tag: 'Accounts',
		summary: 'Read who is signed in',
		description: 'The person, their workspaces with an active membership, and their partner accounts.',
		caller: 'session',
		answers: {
			200: {
				description: 'The person.',
				schema: answerOfRoute<typeof meRoutes, '/', '$get'>()(
					answerOf(
						z.object({
							user: is(User, 'The person.'),
							workspaces: is(z.array(Workspace), 'Workspaces with an active membership.'),
							is_operator: is(
								z.boolean(),
								'Whether they own the first workspace, which operates this service. Its owners can read `GET /api/v1/service`.',
							),
							partner_accounts: is(
								z.array(PartnerAccount),
								'The partners that they became by accepting an invitation. A matching email address alone grants nothing.',
							),
						}),
						'The person, their workspaces and partner accounts.',
					),
				),
			},
		},
		examples: [
			{ name: 'me', summary: 'Ada' },
			{ name: 'nobody', summary: 'Without a session', as: 'nobody', status: 401 },
		],
	},
	{
		method: 'patch',
		path: '/api/v1/me',
		id: 'renameAccount',
		tag: 'Accounts',
		summary: 'Change your name',
		description:
			'Your name on the pages, in the audit logs of your workspaces and in emails to you. Each workspace sets its own name for you as a partner.',
		caller: 'session',
		body: bodyOf('MeRequest', 'The new name.', MeRequest, { name: 'Your name.' }),
		answers: {
			200: { description: 'The renamed person.', schema: answerOfRoute<typeof meRoutes, '/', '$patch'>()(answerOf(User, 'The person.')) },
		},
		examples: [
			{ name: 'rename', summary: 'Ada', body: { name: 'Ada' } },
			{ name: 'no_name', summary: 'Without a name', body: { name: ' ' }, status: 400 },
		],
	},
	{
		method: 'get',
		path: '/api/v1/me/audit-log',
		id: 'readOwnAuditLog',
		tag: 'Accounts',
		summary: 'Read your own audit log',
		description:
			'Sign-ins, sign-outs, password changes, reset links requested for your address, and changes of your mail preferences, newest first. What you did in a workspace is in its own audit log.',
		caller: 'session',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: {
			200: {
				description: 'A page of entries.',
				schema: answerOfRoute<typeof meRoutes, '/audit-log', '$get'>()(pageOf(AuditEntry, 'Entries, newest first.')),
			},
		},
		examples: [{ name: 'newest', summary: 'The newest entry', query: { limit: '1' } }],
	},
];
