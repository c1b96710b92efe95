import { WEBHOOK_ERRORS } from '../../../../domain/webhooks/webhook-outcome.ts';
import { WEBHOOK_TYPES, type WebhookType } from '../../../../domain/webhooks/webhook-type.ts';
import { plural } from '../../../format.ts';
import type { Tone } from '../../../ui/small.tsx';
import type { Delivery, Webhook } from './webhooks-query.ts';

interface InWords {
	readonly label: string;
	readonly tone: Tone | undefined;
	readonly about: string;
}

const DISABLED = {
	asked: 'Someone disabled it.',
	gone: 'Its receiver answered 410 Gone, which means that it wants no more events.',
	failing: 'It failed for too long.',
} as const;

export function webhookState({ disabled_for: reason, failures }: Webhook): InWords {
	if (reason !== null) return { label: 'Disabled', tone: reason === 'asked' ? undefined : 'bad', about: DISABLED[reason] };
	if (failures > 0) return { label: 'Failing', tone: 'warn', about: `${plural(failures, 'attempt')} in a row failed.` };
	return { label: 'Enabled', tone: 'good', about: 'It receives events as they happen.' };
}

export const DELIVERY_STATUSES = {
	pending: 'Waiting',
	delivered: 'Delivered',
	failed: 'Failed',
} as const satisfies Record<Delivery['status'], string>;

export function deliveryState({ status, last_error: error, attempts }: Pick<Delivery, 'status' | 'last_error' | 'attempts'>): InWords {
	if (status === 'delivered') return { label: DELIVERY_STATUSES.delivered, tone: 'good', about: 'The receiver accepted it.' };
	if (status === 'failed') {
		const tried = attempts === 0 ? 'It was not sent.' : `${plural(attempts, 'attempt')} failed.`;
		return { label: DELIVERY_STATUSES.failed, tone: 'bad', about: tried };
	}
	if (error === null) return { label: DELIVERY_STATUSES.pending, tone: 'accent', about: 'It will be sent in a moment.' };
	return { label: 'Failing', tone: 'warn', about: 'The last attempt failed. It will be sent again automatically.' };
}

/** "500: The answer was not 2xx". Empty before the first attempt. */
export function answerInWords({ last_status: status, last_error: error }: Pick<Delivery, 'last_status' | 'last_error'>): string {
	// The status of an earlier attempt does not explain why the webhook was disabled.
	if (error === WEBHOOK_ERRORS.disabled) return error;
	return [status, error].filter((part) => part !== null).join(': ');
}

const GROUP_TITLES: Readonly<Record<string, string>> = {
	lead: 'Leads',
	sale: 'Sales',
	commission: 'Commissions',
	refund: 'Refunds',
	payout: 'Payouts',
	partner: 'Partners',
};

const groupOf = (type: WebhookType) => type.split('.')[0] ?? type;

export const TYPE_GROUPS = [...new Set(WEBHOOK_TYPES.map(groupOf))].map((group) => ({
	title: GROUP_TITLES[group] ?? group,
	types: WEBHOOK_TYPES.filter((type) => groupOf(type) === group),
}));

/** Short enough for a cell. */
export function typesInShort(types: readonly WebhookType[]): string {
	if (types.length === WEBHOOK_TYPES.length) return 'All events';
	return types.length > 2 ? `${types.length} of ${WEBHOOK_TYPES.length} types` : types.join(', ');
}

export function nameOf({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
	return description ?? new URL(url).host;
}
