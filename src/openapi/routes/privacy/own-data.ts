import * as z from 'zod/mini';
import { PasswordRequest } from '../../../http/fields.ts';
import { answerOf, Count, Id, Instant, Text } from '../../answers.ts';
import { conflict } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';
import { TOO_MANY_TRIES, WRONG_PASSWORD } from '../accounts/account-fields.ts';
import { User } from '../accounts/auth.ts';
import { PartnerAccount } from '../accounts/me.ts';
import { MaskedDetails } from '../payouts/payout-details.ts';
import { RoleName } from '../accounts/workspaces.ts';

const Program = z.object({ id: is(Id, 'Id of the program.'), name: is(Text, 'The name.') });
const maybe = (description: string) => is(z.nullable(Text), `${description} Null: not said.`);

const AccountData = named(
	'AccountData',
	'What is stored of a person with an account.',
	z.object({
		user: is(
			z.extend(User, {
				created_at: is(Instant, 'Since when, UTC.'),
				email_proved_at: is(
					z.nullable(Instant),
					'When you first used a link that only an email to this address had, UTC; null: you have not yet.',
				),
			}),
			'The person.',
		),
		workspaces: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the workspace.'),
					name: is(Text, 'The name.'),
					role: is(RoleName, 'What they may do there.'),
					active: is(z.boolean(), 'False: deactivated.'),
					since: is(Instant, 'Since when, UTC.'),
				}),
			),
			'Where they are a member.',
		),
		partner_accounts: is(
			z.array(
				z.extend(PartnerAccount, {
					email: is(Text, 'The address that the workspace has of the partner.'),
					payout_details: is(
						z.nullable(MaskedDetails),
						"The partner's payout details, masked, so that a stolen session reveals no account.",
					),
				}),
			),
			'Where they are a partner by an accepted invitation.',
		),
		applications: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the application.'),
					program: is(Program, 'What they applied to.'),
					name: is(Text, 'As they gave it.'),
					email: is(Text, 'The same.'),
					website: maybe('The same.'),
					message: maybe('The same.'),
					accepted_terms_version: is(Count, 'The terms that were accepted; 0: there were none.'),
					status: is(Text, '`open`, `approved` or `declined`.'),
					reason: maybe('Why it was declined.'),
					created_at: is(Instant, 'When they applied, UTC.'),
				}),
			),
			'Applications that they made while signed in, or that made them a partner; newest first, at most 1,000.',
		),
		mail_preferences: is(
			z.nullable(
				z.object({
					notifications: is(z.boolean(), 'False: no notifications by mail.'),
					kinds: is(z.record(z.string(), z.boolean()), 'The kinds that they chose about.'),
				}),
			),
			'What they chose; null: nothing.',
		),
		sessions: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the session.'),
					created_at: is(Instant, 'When it began, UTC.'),
					last_used_at: is(Instant, 'When it was last used, to the hour, UTC.'),
					expires_at: is(Instant, 'When it ends, UTC.'),
					network: maybe('From where.'),
					user_agent: maybe('In which browser or tool.'),
				}),
			),
			'Where they are signed in, newest first, at most 1,000.',
		),
		notifications: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the notification.'),
					kind: is(Text, 'What it is about.'),
					message: is(Text, 'As they were told.'),
					program: is(Program, 'Of which program.'),
					created_at: is(Instant, 'When, UTC.'),
					read_at: is(z.nullable(Instant), 'When it was read, UTC; null: not yet.'),
				}),
			),
			'The newest 1,000.',
		),
		audit_log: is(
			z.array(
				z.object({
					id: is(Id, 'Id of the entry.'),
					at: is(Instant, 'When, UTC.'),
					workspace_id: is(z.nullable(Id), 'In which workspace; null: about their own account.'),
					program_id: is(z.nullable(Id), 'Id of the program; null if it is about none.'),
					action: is(Text, 'What, as noun and verb.'),
					subject_id: is(z.nullable(Id), 'Id of the thing that the action is named after.'),
					address: is(z.nullable(Text), 'The IP address that the call came from.'),
				}),
			),
			'What they did, newest first: 1,000 entries.',
		),
	}),
);

const Deletion = named(
	'AccountDeletion',
	'What happened to the stored data, in plain English.',
	z.object({
		deleted: is(z.array(Text), 'What is gone.'),
		kept: is(z.array(z.object({ what: is(Text, 'What stays.'), why: is(Text, 'Why.') })), 'What stays, and why.'),
	}),
);

export const ownData = routesFor({ tag: 'Accounts', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/me/export',
		id: 'exportAccount',
		summary: 'Export what is stored of you',
		description:
			'You, your memberships, partner accounts, applications, sessions, mail preferences, notifications and what you did. Payout details are masked. What you earned is under `/api/v1/partner-programs/:id`. In the audit log.',
		answers: { 200: { description: 'All of it.', schema: answerOf(AccountData, 'By what it is.') } },
		examples: [
			{ name: 'partner', summary: 'Pat, who is a partner', as: 'partner' },
			{ name: 'nobody', summary: 'Without a session', as: 'nobody', status: 401 },
		],
	},
	{
		method: 'delete',
		path: '/api/v1/me',
		id: 'deleteAccount',
		summary: 'Delete your account',
		description:
			'Deletes the account permanently. Requires the password. Name, address, password, sessions and payout details are deleted, and memberships end, including those as a partner: your links earn nothing any more. Commissions, payouts, the ledger and the audit log stay under ids without a name; the response says what and why. Get paid what you are owed first. A workspace with programs or other members needs another active owner first.',
		body: bodyOf('PasswordRequest', 'The password.', PasswordRequest, { password: 'Your password. At most 200 characters.' }),
		answers: { 200: { description: 'The account is gone, and so is the session.', schema: answerOf(Deletion, 'The outcome.') } },
		errors: [
			WRONG_PASSWORD,
			TOO_MANY_TRIES,
			conflict('You are the last active owner of {workspaces}: make another member an owner first', 'They would have no owner.'),
			conflict('The password has changed: sign in again', 'Another request changed it at the same time.'),
		],
		examples: [
			{ name: 'guest', summary: 'Gus goes', as: 'guest', body: { password: 'correct horse battery' } },
			{ name: 'last_owner', summary: 'The only owner', as: 'owner', body: { password: 'correct horse battery' }, status: 409 },
		],
	},
]);
