import * as z from 'zod/mini';
import { NotificationQuery, ReadAllRequest } from '../../../http/management/notifications/notifications.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, PageMeta, successful, Text } from '../../answers.ts';
import { invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

const Detail = z.object({
	commission_id: is(z.optional(Id), 'Id of the commission.'),
	sale_id: is(z.optional(Id), 'Id of the sale event.'),
	payout_id: is(z.optional(z.nullable(Id)), 'Id of the payout.'),
	application_id: is(z.optional(Id), 'Id of the application.'),
	webhook_id: is(z.optional(Id), 'Id of the webhook.'),
	payouts: is(z.optional(Count), 'How many payouts a downloaded file has.'),
	commissions: is(z.optional(Count), 'How many commissions were rejected at once. Only if it was more than one.'),
	amount_cents: is(z.optional(Cents), 'What was earned, rejected or paid, in minor units of `currency`.'),
	deduction_cents: is(z.optional(Cents), 'What was deducted, in minor units.'),
	withheld_cents: is(
		z.optional(Cents),
		'What of a reinstatement did not reach the balance, in minor units: it made up for a refund that the balance could not cover.',
	),
	recovered_cents: is(z.optional(Cents), 'Deducted for an earlier debt, in minor units.'),
	surplus_cents: is(z.optional(Cents), 'Credited back because a refund or payout failed or a dispute was won, in minor units.'),
	currency: is(CurrencyCode, 'ISO 4217 code of the amounts.'),
	status: is(
		z.optional(Text),
		'The state of the commission at that time; of a webhook or postback why it is disabled: `gone` or `failing`; of a processor `over` where it is silent no more.',
	),
	reason: is(z.optional(z.nullable(Text)), 'As reported.'),
	reference: is(z.optional(z.nullable(Text)), 'What a payout is found by where it was sent, or an event at its payment processor.'),
	processor: is(z.optional(Text), 'The payment processor.'),
	processor_event_id: is(z.optional(Id), 'Number of its event in the inbox.'),
	since: is(z.optional(Count), 'Since when the processor is silent, in milliseconds.'),
});

export const Notification = named(
	'Notification',
	'An in-app message to one person.',
	z.object({
		id: is(Id, 'Id of the notification.'),
		kind: is(
			z.enum([
				'commission_created',
				'commission_reversed',
				'commission_reinstated',
				'commission_rejected',
				'payout_made',
				'payout_sent',
				'payout_failed',
				'payout_details_changed',
				'payout_file_made',
				'application_received',
				'webhook_disabled',
				'postback_disabled',
				'membership_suspended',
				'membership_resumed',
				'membership_ended',
				'manual_review',
				'processor_silent',
				'reversal_refused',
			]),
			'What happened. `manual_review` warns the advertiser: a sale was refunded whose commission had been paid.',
		),
		message: is(Text, 'In plain English.'),
		detail: is(Detail, 'What it is about. Which fields there are depends on `kind`.'),
		program: is(z.object({ id: is(Id, 'Id of the program.'), name: is(Text, 'The name.') }), 'Where it happened.'),
		created_at: is(Instant, 'When it was written, UTC.'),
		read_at: is(z.nullable(Instant), 'When it was read, UTC; null: not yet.'),
	}),
);

const SCOPE_ERRORS = [
	invalid('Send either partner_program_id or program_id', 'Both were sent.'),
	notFound('Partner program', 'The membership does not exist, or it belongs to a partner that you are not signed in as.'),
	notFound('Program', 'There is no such program, or you are not an active member of its workspace.'),
];

const Unread = is(
	Count,
	'How many are unread of all, or of the membership or program that was named; counted up to 100: of a membership or program among your 1,000 newest.',
);

export const notifications = routesFor({ tag: 'Notifications', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/notifications',
		id: 'listNotifications',
		summary: 'List notifications',
		description:
			'Your own notifications, as a member and as a partner, newest first. A page of one membership or program reads your 1,000 newest read and unread notifications after the cursor, so it may be short or empty without being the last: follow `next_cursor`.',
		query: fieldsOf(NotificationQuery, {
			...PAGE_FIELDS,
			unread: '`true`: unread ones only.',
			partner_program_id: 'Only notifications to you as the partner of this membership. The unread count is limited too.',
			program_id: 'Only notifications to you as a member of the workspace of this program. The unread count is limited too.',
		}),
		answers: {
			200: {
				description: 'A page of notifications.',
				schema: successful({
					data: is(z.array(Notification), 'Notifications, newest first.'),
					meta: is(z.object({ ...PageMeta.shape, unread_count: Unread }), 'Where the next page begins, and how many are unread.'),
				}),
			},
		},
		errors: SCOPE_ERRORS,
		examples: [{ name: 'unread', summary: 'Unread ones', query: { unread: 'true' } }],
	},
	{
		method: 'post',
		path: '/api/v1/notifications/:id/read',
		id: 'markNotificationRead',
		summary: 'Mark a notification as read',
		description: 'One that is read keeps its time.',
		params: { id: 'Id of the notification.' },
		answers: { 200: { description: 'It is read.', schema: answerOf(Notification, 'The notification.') } },
		errors: [notFound('Notification', 'It does not exist or belongs to someone else.')],
		examples: [
			{ name: 'read', summary: 'The warning of a refund', params: { id: 10 } },
			{ name: 'unknown', summary: 'There is none', params: { id: 999 }, status: 404 },
		],
	},
	{
		method: 'patch',
		path: '/api/v1/notifications',
		id: 'markAllNotificationsRead',
		summary: 'Mark all notifications as read',
		description:
			'Marks all as read, or all up to one, because later ones may not have been seen. Optionally only those of one membership as a partner, or of one program as a member.',
		body: {
			...bodyOf('ReadAllRequest', 'Which ones. May be left out: all.', ReadAllRequest, {
				up_to_id: 'Id of the newest one that was seen.',
				partner_program_id: 'Only notifications to you as the partner of this membership.',
				program_id: 'Only notifications to you as a member of the workspace of this program.',
			}),
			isOptional: true,
		},
		answers: {
			200: { description: 'They are read.', schema: answerOf(z.object({ unread_count: Unread }), 'What is left.') },
		},
		errors: SCOPE_ERRORS,
		examples: [
			{ name: 'read_all', summary: 'Up to that warning', body: { up_to_id: 10 } },
			{ name: 'read_program', summary: 'Those of one program', body: { program_id: 2 } },
			{ name: 'read_own', summary: 'Those of one membership', as: 'partner', body: { partner_program_id: 1 } },
		],
	},
]);
