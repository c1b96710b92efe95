import * as z from 'zod/mini';
import {
	NotificationQuery,
	ReadAllRequest,
	type notifications as notificationRoutes,
} from '../../../http/management/notifications/notifications.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf, Cents, Count, CurrencyCode, Id, Instant, PAGE_FIELDS, PageMeta, successful, Text } from '../../answers.ts';
import { invalid, notFound } from '../../errors.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf, fieldsOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

const Detail = z.object({
	commission_id: is(z.optional(Id), "The commission's id."),
	sale_id: is(z.optional(Id), "The sale event's id."),
	payout_id: is(z.optional(z.nullable(Id)), "The payout's id."),
	application_id: is(z.optional(Id), "The application's id."),
	webhook_id: is(z.optional(Id), "The webhook's id."),
	payouts: is(z.optional(Count), 'The number of payouts in a downloaded file.'),
	commissions: is(z.optional(Count), 'The number of commissions rejected at once. Only if more than one.'),
	amount_cents: is(z.optional(Cents), 'The amount earned, rejected or paid, in minor units of `currency`.'),
	deduction_cents: is(z.optional(Cents), 'The amount deducted, in minor units.'),
	withheld_cents: is(
		z.optional(Cents),
		'The part of a reinstatement that was not credited, in minor units: it made up for a refund that the balance could not cover.',
	),
	recovered_cents: is(z.optional(Cents), 'The amount deducted for an earlier debt, in minor units.'),
	surplus_cents: is(z.optional(Cents), 'The amount credited back because a refund or payout failed or a dispute was won, in minor units.'),
	currency: is(CurrencyCode, 'The ISO 4217 currency code of the amounts.'),
	status: is(
		z.optional(Text),
		"The commission's status at that time; for a webhook or postback, why it is disabled: `gone` or `failing`; for a processor, `over` if it sends events again.",
	),
	reason: is(z.optional(z.nullable(Text)), 'The reported reason.'),
	reference: is(z.optional(z.nullable(Text)), "The reference of a payout, or the payment processor's id of an event."),
	processor: is(z.optional(Text), 'The payment processor.'),
	processor_event_id: is(z.optional(Id), "The id of the processor's event in the inbox."),
	since: is(z.optional(Count), 'When the processor stopped sending events, in Unix milliseconds.'),
});

export const Notification = named(
	'Notification',
	'An in-app message to one person.',
	z.object({
		id: is(Id, "The notification's id."),
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
			'What happened. `manual_review` warns the advertiser that a sale was refunded after its commission was paid.',
		),
		message: is(Text, 'The text, in plain English.'),
		detail: is(Detail, 'The details. The fields depend on `kind`.'),
		program: is(z.object({ id: is(Id, "The program's id."), name: is(Text, "The program's name.") }), 'The program.'),
		created_at: is(Instant, 'When it was created, in UTC.'),
		read_at: is(z.nullable(Instant), 'When it was read, in UTC; null if unread.'),
	}),
);

const SCOPE_ERRORS = [
	invalid('Send either partner_program_id or program_id', 'Both were sent.'),
	notFound('Partner program', 'The membership does not exist, or it is not yours.'),
	notFound('Program', 'The program does not exist, or you are not an active member of its workspace.'),
];

const Unread = is(
	Count,
	'The number of unread notifications, counted up to 100. For a single membership or program, only your 1,000 newest are counted.',
);

export const notifications = routesFor({ tag: 'Notifications', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/notifications',
		id: 'listNotifications',
		summary: 'List notifications',
		description:
			'Your own notifications, as a member and as a partner, newest first. For one membership or program, a page searches the next 1,000 of your read and unread notifications. It may be short or empty without being the last: follow `next_cursor`.',
		query: fieldsOf(NotificationQuery, {
			...PAGE_FIELDS,
			unread: '`true` for unread ones only.',
			partner_program_id: 'Only notifications to you as the partner of this membership. Also limits the unread count.',
			program_id: "Only notifications to you as a member of this program's workspace. Also limits the unread count.",
		}),
		answers: {
			200: {
				description: 'A page of notifications.',
				schema: answerOfRoute<typeof notificationRoutes, '/', '$get'>()(
					successful({
						data: is(z.array(Notification), 'Notifications, newest first.'),
						meta: is(z.object({ ...PageMeta.shape, unread_count: Unread }), 'Pagination details, and the unread count.'),
					}),
				),
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
		description: 'Keeps `read_at` if it is already read.',
		params: { id: "The notification's id." },
		answers: {
			200: {
				description: 'It is marked as read.',
				schema: answerOfRoute<typeof notificationRoutes, '/:id/read', '$post'>()(answerOf(Notification, 'The notification.')),
			},
		},
		errors: [notFound('Notification', 'It does not exist, or it is not yours.')],
		examples: [
			{ name: 'read', summary: 'The warning about a refund', params: { id: 10 } },
			{ name: 'unknown', summary: 'An unknown id', params: { id: 999 }, status: 404 },
		],
	},
	{
		method: 'patch',
		path: '/api/v1/notifications',
		id: 'markAllNotificationsRead',
		summary: 'Mark all notifications as read',
		description:
			'Marks all, or those up to `up_to_id`: later ones may not have been seen. `partner_program_id` or `program_id` limits it to one membership or program.',
		body: {
			...bodyOf('ReadAllRequest', 'The notifications to mark. If omitted, all.', ReadAllRequest, {
				up_to_id: 'The id of the newest one that was seen.',
				partner_program_id: 'Only notifications to you as the partner of this membership.',
				program_id: "Only notifications to you as a member of this program's workspace.",
			}),
			isOptional: true,
		},
		answers: {
			200: {
				description: 'They are marked as read.',
				schema: answerOfRoute<typeof notificationRoutes, '/', '$patch'>()(
					answerOf(z.object({ unread_count: Unread }), 'The number of notifications that are still unread.'),
				),
			},
		},
		errors: SCOPE_ERRORS,
		examples: [
			{ name: 'read_all', summary: 'Up to that warning', body: { up_to_id: 10 } },
			{ name: 'read_program', summary: 'One program', body: { program_id: 2 } },
			{ name: 'read_own', summary: 'One membership', as: 'partner', body: { partner_program_id: 1 } },
		],
	},
]);
