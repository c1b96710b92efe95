import type { PayoutStatus } from '../../../domain/payout-state.ts';
import { amount, dayOfYear, money } from '../../format.ts';
import { Badge, type Tone } from '../../ui/small.tsx';
import type { Commission } from './queries.ts';
import type { COMMISSION_STATES } from './routes.ts';

// What a partner reads about what they earn.

export type CommissionState = (typeof COMMISSION_STATES)[number];

interface Words {
	readonly label: string;
	readonly tone: Tone | undefined;
	/** What it means for whoever earns them. */
	readonly meaning: string;
}

export const COMMISSION_WORDS: Readonly<Record<CommissionState, Words>> = {
	pending: {
		label: 'On hold',
		tone: 'warn',
		meaning: 'These sales can still be returned. Each commission is yours when its hold is over: there is nothing to do.',
	},
	approved: { label: 'Approved', tone: 'accent', meaning: 'These are yours: they go out with a next payout.' },
	paid: { label: 'Paid', tone: 'good', meaning: 'These were part of a payout. Open one to see which.' },
	refunded: { label: 'Partly refunded', tone: 'warn', meaning: 'A part of each sale was refunded. The sum is what is left for you.' },
	reversed: { label: 'Refunded', tone: 'bad', meaning: 'The whole sale was refunded, so nothing of it is left to earn.' },
	rejected: {
		label: 'Rejected',
		tone: 'bad',
		meaning: 'The program took these back, and says why. Ask whoever runs it if you see it differently.',
	},
};

export function CommissionBadge({ status }: { status: CommissionState }) {
	const { label, tone } = COMMISSION_WORDS[status];
	return <Badge tone={tone}>{label}</Badge>;
}

const PAYOUT_WORDS: Readonly<Record<PayoutStatus, Pick<Words, 'label' | 'tone'>>> = {
	made: { label: 'To be sent', tone: 'accent' },
	sent: { label: 'Sent', tone: 'good' },
	failed: { label: 'Failed', tone: 'bad' },
	settled: { label: 'Nothing to send', tone: undefined },
};

export function PayoutBadge({ status }: { status: PayoutStatus }) {
	const { label, tone } = PAYOUT_WORDS[status];
	return <Badge tone={tone}>{label}</Badge>;
}

/** What a sale earns: "14%", or an amount. */
export function rateText({ rate, currency }: Pick<Commission, 'rate' | 'currency'>): string {
	return rate.type === 'percent' ? `${rate.percent}%` : money(rate.amount_cents, currency);
}

const DAY = /\b\d{4}-\d{2}-\d{2}\b/g;

/** The service's own words, with their days and amounts written as on the rest of the page. */
export function inWords(text: string, currency: string): string {
	const amounts = new RegExp(`\\b(\\d+(?:\\.\\d+)?) ${currency}\\b`, 'g');
	const told = text.replace(DAY, (day) => dayOfYear(day)).replace(amounts, (_, major: string) => amount(Number(major), currency));
	return /[.!?]$/.test(told) ? told : `${told}.`;
}
