import type { EventType } from '../../../domain/reporting/event-position.ts';
import type { Tone } from '../../ui/small.tsx';

export const EVENT_TYPES: Readonly<Record<EventType, string>> = { click: 'Click', lead: 'Sign-up', sale: 'Sale', refund: 'Refund' };

export const TYPE_TONES: Readonly<Record<EventType, Tone | undefined>> = {
	click: undefined,
	lead: 'accent',
	sale: 'good',
	refund: 'warn',
};

export const TYPES = [
	{ value: 'click', label: 'Clicks' },
	{ value: 'lead', label: 'Sign-ups' },
	{ value: 'sale', label: 'Sales' },
	{ value: 'refund', label: 'Refunds' },
] as const;

export const OUTCOMES: Readonly<Record<string, string>> = {
	reversed: 'Refunded in full',
	refunded: 'Refunded in part',
	no_commission: 'There was no commission to deduct it from',
	reinstated: 'Reinstated, because a refund failed or a dispute was won',
	skipped: 'Skipped, because the payment processor had already reported it',
	test: 'Test refund, which changes nothing',
};

export const INTERVALS = { monthly: 'Every month', quarterly: 'Every quarter', annual: 'Every year' } as const;
