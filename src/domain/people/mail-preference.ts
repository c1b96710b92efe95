import { DAY_MS, MINUTE_MS } from '../calendar.ts';
import type { MailedKind } from './notification.ts';

/** There may be hundreds of earnings a day, so they are collected. */
export type Pace = 'soon' | 'daily';

export interface Mailed {
	readonly pace: Pace;
	readonly isOn: boolean;
}

/** Management, 9. */
export const MAILED = {
	commission_created: { pace: 'daily', isOn: true },
	commission_reversed: { pace: 'soon', isOn: true },
	commission_reinstated: { pace: 'soon', isOn: true },
	commission_rejected: { pace: 'soon', isOn: true },
	payout_made: { pace: 'soon', isOn: true },
	payout_sent: { pace: 'soon', isOn: true },
	payout_failed: { pace: 'soon', isOn: true },
	payout_file_made: { pace: 'soon', isOn: true },
	application_received: { pace: 'soon', isOn: true },
	webhook_disabled: { pace: 'soon', isOn: true },
	postback_disabled: { pace: 'soon', isOn: true },
	membership_suspended: { pace: 'soon', isOn: true },
	membership_resumed: { pace: 'soon', isOn: true },
	membership_ended: { pace: 'soon', isOn: true },
	manual_review: { pace: 'soon', isOn: true },
	processor_silent: { pace: 'soon', isOn: true },
	reversal_refused: { pace: 'soon', isOn: true },
} as const satisfies Record<MailedKind, Mailed>;

export const COLLECTING_MS = { soon: 0, daily: DAY_MS } as const satisfies Record<Pace, number>;
export const APART_MS = { soon: 10 * MINUTE_MS, daily: DAY_MS } as const satisfies Record<Pace, number>;

/** A missing kind has its default. */
export type SelectedKinds = { readonly [Kind in MailedKind]?: boolean | undefined };

export function kindsOf(selected: SelectedKinds): Record<MailedKind, boolean> {
	const isOn = (kind: MailedKind) => selected[kind] ?? MAILED[kind].isOn;
	return {
		commission_created: isOn('commission_created'),
		commission_reversed: isOn('commission_reversed'),
		commission_reinstated: isOn('commission_reinstated'),
		commission_rejected: isOn('commission_rejected'),
		payout_made: isOn('payout_made'),
		payout_sent: isOn('payout_sent'),
		payout_failed: isOn('payout_failed'),
		payout_file_made: isOn('payout_file_made'),
		application_received: isOn('application_received'),
		webhook_disabled: isOn('webhook_disabled'),
		postback_disabled: isOn('postback_disabled'),
		membership_suspended: isOn('membership_suspended'),
		membership_resumed: isOn('membership_resumed'),
		membership_ended: isOn('membership_ended'),
		manual_review: isOn('manual_review'),
		processor_silent: isOn('processor_silent'),
		reversal_refused: isOn('reversal_refused'),
	};
}

/** The last attempt is about 16 hours after the first. */
export const MOST_TRIES = 7;
/** The sender's lease, and the pause before the first retry. It doubles each time. */
export const LEASE_MS = 15 * MINUTE_MS;
