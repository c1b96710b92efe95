import * as z from 'zod/mini';
import { MeRequest } from '../../../http/management/accounts/me.ts';
import { PageQuery } from '../../../http/page.ts';
import { answerOf, CurrencyCode, Id, PAGE_FIELDS, pageOf, Text } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf, type Operation } from '../../operation.ts';
import { AuditEntry } from './audit-log.ts';
import { User } from './auth.ts';
import { Workspace } from './workspaces.ts';

export const PartnerStatus = is(
	z.enum(['active', 'suspended', 'ended']),
	'`active`; `suspended`: links answer no clicks and sales earn nothing; `ended`: no partner of the program any more.',
);

export const PartnerAccount = named(
	'PartnerAccount',
	'A partner of a workspace, as the person has it who accepted the invitation.',
	z.object({
		partner_id: is(Id, 'Id of the partner.'),
		name: is(Text, 'Name of the partner in the workspace.'),
		workspace_id: is(Id, 'Id of the workspace.'),
		workspace_name: is(Text, 'The name.'),
		partner_programs: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the membership, as in `/api/v1/partner-programs/:id`.'),
					status: PartnerStatus,
					program: is(
						z.object({
							id: is(Id, 'Id of the program.'),
							name: is(Text, 'The name.'),
							domain: is(z.nullable(Text), 'Domain of the shop.'),
							currency: is(CurrencyCode, 'ISO 4217.'),
						}),
						'The program.',
					),
				}),
			),
			'The programs of the workspace that the partner is or was in, the oldest membership first; at most 200.',
		),
	}),
);

export const me: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/v1/me',
		id: 'readMe',
		tag: 'Accounts',
		summary: 'Who is signed in',
		description: 'The person, the workspaces they are an active member of, and where they are a partner.',
		caller: 'session',
		answers: {
			200: {
				description: 'The person.',
				schema: answerOf(
					z.object({
						user: is(User, 'The person.'),
						workspaces: is(z.array(Workspace), 'Workspaces with an active membership.'),
						is_operator: is(
							z.boolean(),
							'Whether they own the workspace that operates this service, the first one: who does reads `GET /api/v1/service`.',
						),
						partner_accounts: is(
							z.array(PartnerAccount),
							'The partners that the person is by an accepted invitation. The same email address alone gives no access.',
						),
					}),
					'The person and where they have a part.',
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
			'Your name in the pages, in the audit logs of your workspaces and in emails to you. A workspace has its own name for you as its partner.',
		caller: 'session',
		body: bodyOf('MeRequest', 'A person.', MeRequest, { name: 'What you are called.' }),
		answers: { 200: { description: 'The person as they are now.', schema: answerOf(User, 'The person.') } },
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
		summary: 'Read what happened to your account',
		description:
			'Sign-ins and sign-outs, password changes, password reset links requested for your address, and changes of your email preferences, newest first. Your actions in a workspace are in its own audit log.',
		caller: 'session',
		query: fieldsOf(PageQuery, PAGE_FIELDS),
		answers: { 200: { description: 'A page of entries.', schema: pageOf(AuditEntry, 'Entries, newest first.') } },
		examples: [{ name: 'newest', summary: 'The newest entry', query: { limit: '1' } }],
	},
];
