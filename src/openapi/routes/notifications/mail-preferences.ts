import * as z from 'zod/mini';
import type { MailedKind } from '../../../domain/people/notification.ts';
import { MailPreferenceChanges } from '../../../http/management/notifications/mail-preferences.ts';
import { answerOf } from '../../answers.ts';
import { is, named } from '../../json-schema.ts';
import { bodyOf } from '../../operation.ts';
import { routesFor } from '../../under.ts';

const yesOrNo = z.boolean();

const KINDS = {
	commission_created: 'Earnings: one email a day.',
	commission_reversed: 'A refund reversed a commission or a part of it.',
	commission_reinstated: 'A refund failed, or a dispute was won.',
	commission_rejected: 'The advertiser rejected a commission.',
	payout_made: 'A payout was made.',
	payout_sent: 'A payout was sent.',
	payout_failed: 'A payout failed.',
	application_received: 'For owners and admins: someone applied to be a partner.',
	webhook_disabled: 'For owners and admins: a webhook failed for too long, and is disabled.',
	postback_disabled: 'The postback failed for too long, and is called no more.',
	membership_suspended: 'The advertiser suspended the membership.',
	membership_resumed: 'The membership goes on.',
	membership_ended: 'The membership has ended.',
	manual_review: 'For owners and admins: a commission was paid before its sale was refunded.',
	processor_silent: 'For owners and admins: a payment processor sends no events any more, or does so again.',
	reversal_refused:
		'For owners and admins: a refund or dispute from a payment processor was refused, as it is in another currency than its payment.',
	payout_file_made: 'For owners: someone downloaded a file with the accounts of partners.',
} as const satisfies Record<MailedKind, string>;

const MailPreferences = named(
	'MailPreferences',
	'Which notifications a person is mailed too.',
	z.object({
		mail_on: is(z.boolean(), 'Whether this service sends mail at all: else the rest counts once it does.'),
		notifications: is(z.boolean(), 'False: no emails, whatever `kinds` says. The unsubscribe link in each email sets it.'),
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
			'By the kind of notification.',
		),
	}),
);

export const mailPreferences = routesFor({ tag: 'Notifications', caller: 'session' }, [
	{
		method: 'get',
		path: '/api/v1/me/mail-preferences',
		id: 'readMailPreferences',
		summary: 'Read what you are mailed',
		description: 'Which of your notifications you also receive by email. By default all of them.',
		answers: { 200: { description: 'The preferences.', schema: answerOf(MailPreferences, 'The preferences.') } },
		examples: [{ name: 'read', summary: 'By default' }],
	},
	{
		method: 'patch',
		path: '/api/v1/me/mail-preferences',
		id: 'changeMailPreferences',
		summary: 'Choose what you are mailed',
		description: 'Missing fields do not change.',
		body: bodyOf('MailPreferenceChanges', 'At least one field to change.', MailPreferenceChanges, {
			notifications: 'False: no notification by mail at all.',
			kinds: { text: 'Yes or no by the kind of notification; the others stay as they are.', fields: KINDS },
		}),
		answers: { 200: { description: 'The preferences as they are now.', schema: answerOf(MailPreferences, 'The preferences.') } },
		examples: [
			{ name: 'change', summary: 'Payouts, but not each commission', body: { kinds: { commission_created: false, payout_made: true } } },
			{ name: 'unknown_kind', summary: 'A kind that there is not', body: { kinds: { birthdays: true } }, status: 400 },
		],
	},
]);
