import * as z from 'zod/mini';
import type { MailedKind } from '../../../domain/people/notification.ts';
import {
	MailPreferenceChanges,
	type mailPreferences as mailPreferenceRoutes,
} from '../../../http/management/notifications/mail-preferences.ts';
import { answerOfRoute } from '../../answer-of-route.ts';
import { answerOf } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

const yesOrNo = z.boolean();

const KINDS = {
	commission_created: 'Commissions were earned: one email a day.',
	commission_reversed: 'A refund reversed all or part of a commission.',
	commission_reinstated: 'A refund failed, or a dispute was won.',
	commission_rejected: 'The advertiser rejected a commission.',
	payout_made: 'A payout was made.',
	payout_sent: 'A payout was sent.',
	payout_failed: 'A payout failed.',
	application_received: 'For owners and admins: someone applied to become a partner.',
	webhook_disabled: 'For owners and admins: a webhook failed for too long and is disabled.',
	postback_disabled: 'The postback failed for too long and is disabled.',
	membership_suspended: 'The advertiser suspended the membership.',
	membership_resumed: 'The membership is active again.',
	membership_ended: 'The membership has ended.',
	manual_review: 'For owners and admins: a commission was paid before its sale was refunded.',
	processor_silent: 'For owners and admins: a payment processor stopped or resumed sending events.',
	reversal_refused:
		"For owners and admins: a refund or dispute from a payment processor was refused because its currency differs from its payment's.",
	payout_file_made: 'For owners: someone downloaded a file with the accounts of partners.',
} as const satisfies Record<MailedKind, string>;

const MailPreferences = named(
	'MailPreferences',
	'Which notifications a person also receives by email.',
	z.object({
		mail_on: is(z.boolean(), 'Whether this service sends email. If not, the preferences apply once it does.'),
		notifications: is(
			z.boolean(),
			'False if none are emailed, whatever `kinds` says. The unsubscribe link of each email sets it to false.',
		),
		kinds: is(
			z.object({
				commission_created: is(yesOrNo, KINDS.commission_created),
				commission_reversed: is(yesOrNo, KINDS.commission_reversed),
				commission_reinstated: is(yesOrNo, KINDS.commission_reinstated),
				commission_rejected: is(yesOrNo, KINDS.commission_rejected),
				payout_made: is(yesOrNo, KINDS.payout_made),
				payout_sent: is(yesOrNo, KINDS.payout_sent),
				payout_failed: is(yesOrNo, KINDS.payout_failed),
				application_received: is(yesOrNo, KINDS.application_received),
				webhook_disabled: is(yesOrNo, KINDS.webhook_disabled),
				postback_disabled: is(yesOrNo, KINDS.postback_disabled),
				membership_suspended: is(yesOrNo, KINDS.membership_suspended),
				membership_resumed: is(yesOrNo, KINDS.membership_resumed),
				membership_ended: is(yesOrNo, KINDS.membership_ended),
				manual_review: is(yesOrNo, KINDS.manual_review),
				processor_silent: is(yesOrNo, KINDS.processor_silent),
				reversal_refused: is(yesOrNo, KINDS.reversal_refused),
				payout_file_made: is(yesOrNo, KINDS.payout_file_made),
			}),
			'By kind of notification.',
		),
	}),
);

export const mailPreferences = routesFor({ tag: 'Notifications', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/me/mail-preferences',
		id: 'readMailPreferences',
		summary: 'Read your mail preferences',
		description: 'Which of your notifications you also receive by email. By default, all of them.',
		answers: {
			200: {
				description: 'The preferences.',
				schema: answerOfRoute<typeof mailPreferenceRoutes, '/', '$get'>()(answerOf(MailPreferences, 'The preferences.')),
			},
		},
		examples: [{ name: 'read', summary: 'By default' }],
	},
	{
		method: 'patch',
		path: '/api/v1/me/mail-preferences',
		id: 'changeMailPreferences',
		summary: 'Change your mail preferences',
		description: 'Omitted fields stay unchanged.',
		body: bodyOf('MailPreferenceChanges', 'The changes: at least one field.', MailPreferenceChanges, {
			notifications: 'False to receive no notifications by email.',
			kinds: { text: 'True or false by kind of notification. Omitted kinds stay unchanged.', fields: KINDS },
		}),
		answers: {
			200: {
				description: 'The changed preferences.',
				schema: answerOfRoute<typeof mailPreferenceRoutes, '/', '$patch'>()(answerOf(MailPreferences, 'The preferences.')),
			},
		},
		examples: [
			{ name: 'change', summary: 'Payouts, but not each commission', body: { kinds: { commission_created: false, payout_made: true } } },
			{ name: 'unknown_kind', summary: 'An unknown kind', body: { kinds: { birthdays: true } }, status: 400 },
		],
	},
]);
