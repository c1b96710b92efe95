import * as z from 'zod/mini';
import { AccountDeletionRequest, type ownData as ownDataRoutes } from '../../../http/management/privacy/own-data.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Count, Id, Instant, Text } from '../../answers.ts';
import { conflict, rejected } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';
import { User } from '../accounts/auth.ts';
import { PartnerAccount } from '../accounts/me.ts';
import { MaskedDetails } from '../payouts/payout-details.ts';
import { RoleName } from '../accounts/workspaces.ts';

const Program = z.object({ id: is(Id, "The program's id."), name: is(Text, 'Its name.') });
const maybe = (description: string) => is(z.nullable(Text), `${description}; null if there is none.`);

const AccountData = named(
	'AccountData',
	'The stored data of a person with an account.',
	z.object({
		user: is(
			z.extend(User, {
				created_at: is(Instant, 'When the account was created, in UTC.'),
				email_proved_at: is(
					z.nullable(Instant),
					'When you first used a link that was sent only to this email address, in UTC; null if you have not yet.',
				),
			}),
			'The person.',
		),
		workspaces: is(
			z.array(
				z.object({
					id: is(Id, "The workspace's id."),
					name: is(Text, 'Its name.'),
					role: is(RoleName, "The person's role."),
					active: is(z.boolean(), 'False if deactivated.'),
					since: is(Instant, 'When they joined, in UTC.'),
				}),
			),
			'The workspaces that they are a member of.',
		),
		partner_accounts: is(
			z.array(
				z.extend(PartnerAccount, {
					email: is(Text, "The partner's email address in the workspace."),
					payout_details: is(z.nullable(MaskedDetails), 'The payout details, masked so that a stolen session does not reveal the account.'),
				}),
			),
			'The partners that they became by accepting an invitation.',
		),
		applications: is(
			z.array(
				z.object({
					id: is(Id, "The application's id."),
					program: is(Program, 'The program.'),
					name: is(Text, "The applicant's name."),
					email: is(Text, "The applicant's email address."),
					website: maybe("The applicant's website"),
					message: maybe("The applicant's message"),
					accepted_terms_version: is(Count, 'The version of the accepted terms; 0 if there were none.'),
					status: is(Text, '`open`, `approved` or `declined`.'),
					reason: maybe('The reason for declining'),
					created_at: is(Instant, 'When they applied, in UTC.'),
				}),
			),
			'Applications that they sent while signed in or that made them a partner, newest first, at most 1,000.',
		),
		mail_preferences: is(
			z.nullable(
				z.object({
					notifications: is(z.boolean(), 'False if no notifications are emailed.'),
					kinds: is(z.record(z.string(), z.boolean()), 'The kinds that they turned on or off.'),
				}),
			),
			'Their mail preferences; null if they set none.',
		),
		sessions: is(
			z.array(
				z.object({
					id: is(Id, "The session's id."),
					created_at: is(Instant, 'When it started, in UTC.'),
					last_used_at: is(Instant, 'When it was last used, to the hour, in UTC.'),
					expires_at: is(Instant, 'When it expires, in UTC.'),
					network: maybe('The network where it started'),
					user_agent: maybe('The browser or tool that started it'),
				}),
			),
			'Their sessions, newest first, at most 1,000.',
		),
		notifications: is(
			z.array(
				z.object({
					id: is(Id, "The notification's id."),
					kind: is(Text, 'The kind of notification.'),
					message: is(Text, 'The text.'),
					program: is(Program, 'The program.'),
					created_at: is(Instant, 'When it was created, in UTC.'),
					read_at: is(z.nullable(Instant), 'When it was read, in UTC; null if unread.'),
				}),
			),
			'The newest 1,000 notifications.',
		),
		audit_log: is(
			z.array(
				z.object({
					id: is(Id, "The entry's id."),
					at: is(Instant, 'When it happened, in UTC.'),
					workspace_id: is(z.nullable(Id), 'The workspace; null if it concerns their own account.'),
					program_id: is(z.nullable(Id), "The program's id; null if no program is involved."),
					action: is(Text, 'The action as noun and verb.'),
					subject_id: is(z.nullable(Id), 'The id of the object that the action is named after.'),
					address: is(z.nullable(Text), 'The IP address of the caller.'),
				}),
			),
			'Their actions, newest first, at most 1,000.',
		),
	}),
);

const Deletion = named(
	'AccountDeletion',
	'What was deleted and what was kept, in plain English.',
	z.object({
		deleted: is(z.array(Text), 'What was deleted.'),
		kept: is(z.array(z.object({ what: is(Text, 'What was kept.'), why: is(Text, 'The reason.') })), 'What was kept, and why.'),
	}),
);

export const ownData = routesFor({ tag: 'Accounts', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/me/export',
		id: 'exportAccount',
		summary: 'Export your data',
		description:
			'Your account, memberships, partner accounts, applications, sessions, mail preferences, notifications and actions. Payout details are masked. Your earnings are under `/api/v1/partner-programs/:id`. Recorded in the audit log.',
		answers: {
			200: {
				description: 'Your data.',
				schema: answerOfRoute<typeof ownDataRoutes, '/export', '$get'>()(answerOf(AccountData, 'Your data by kind.')),
			},
		},
		examples: [
			{ name: 'partner', summary: 'Pat, a partner', as: 'partner' },
			{ name: 'nobody', summary: 'Without a session', as: 'nobody', status: 401 },
		],
	},
	{
		method: 'delete',
		path: '/api/v1/me',
		id: 'deleteAccount',
		summary: 'Delete your account',
		description:
			'Permanently deletes your name, address, password, sessions and payout details. Requires your password. Memberships end, including those as a partner, so your links no longer earn anything. Commissions, payouts, the ledger and the audit log stay under ids without a name; the response lists what is kept and why. If a program owes you something, the answer is 409 with the sums, `owed`: wait until you are paid, or send `give_up_earnings`. A workspace with programs or other members needs another active owner first.',
		body: bodyOf('AccountDeletionRequest', 'The password, and whether you give up what you are owed.', AccountDeletionRequest, {
			password: 'Your password. At most 200 characters.',
			give_up_earnings: 'Whether you give up what programs owe you. Required if they owe you anything.',
		}),
		answers: {
			200: {
				description: 'The account and its sessions are deleted.',
				schema: answerOfRoute<typeof ownDataRoutes, '/', '$delete'>()(answerOf(Deletion, 'What was deleted and kept.')),
			},
		},
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			conflict(
				'You are the last active owner of {workspaces}: make another member an owner first',
				'These workspaces would have no owner.',
			),
			rejected('earnings_owed', 'Programs owe you something: `owed` has the sums. Nothing was deleted.'),
			conflict('The password has changed: sign in again', 'Another request changed it at the same time.'),
		],
		examples: [
			{ name: 'guest', summary: 'Gus deletes his account', as: 'guest', body: { password: 'correct horse battery' } },
			{
				name: 'owed',
				summary: 'Pat, who is owed something',
				as: 'partner',
				body: { password: 'correct horse battery' },
				status: 409,
			},
			{ name: 'last_owner', summary: 'The only owner', as: 'owner', body: { password: 'correct horse battery' }, status: 409 },
		],
	},
]);
