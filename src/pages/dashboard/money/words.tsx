import { PAYOUT_METHODS, type PayoutMethod } from '../../../domain/payout-details.ts';
import { PAYOUT_STATUSES, type PayoutStatus } from '../../../domain/payout-state.ts';
import { money } from '../../format.ts';
import { Badge, type Tone } from '../../ui/small.tsx';
import type { ExplainedSale } from '../explanation.tsx';
import type { COMMISSION_STATES } from './routes.ts';

// What the pages about money call things.

export type CommissionState = (typeof COMMISSION_STATES)[number];

interface Words {
	readonly label: string;
	readonly tone: Tone | undefined;
	/** What the state means, and what comes of it. */
	readonly meaning: string;
}

export const COMMISSION_WORDS: Readonly<Record<CommissionState, Words>> = {
	pending: {
		label: 'On hold',
		tone: 'warn',
		meaning:
			'A hold gives refunds time to come in: its length stands in the rule. When it ends, the commission is approved by itself. Approve one to end its hold now, or reject it for good.',
	},
	approved: { label: 'Approved', tone: 'accent', meaning: 'The hold is over: the next payout pays them, unless you reject them before.' },
	paid: {
		label: 'Paid',
		tone: 'good',
		meaning: 'They are part of a payout. If such a sale is refunded, the next payout keeps back what was paid.',
	},
	refunded: {
		label: 'Partly refunded',
		tone: 'warn',
		meaning: 'A part of the sale was refunded. The sum is what is left of the commissions: what was not paid before stays payable.',
	},
	reversed: { label: 'Reversed', tone: 'bad', meaning: 'The whole sale was refunded: nothing is left of these commissions.' },
	rejected: { label: 'Rejected', tone: 'bad', meaning: 'You rejected them: they are taken back for good.' },
};

export function CommissionBadge({ status }: { status: CommissionState }) {
	const { label, tone } = COMMISSION_WORDS[status];
	return <Badge tone={tone}>{label}</Badge>;
}

const PAYOUT_WORDS: Readonly<Record<PayoutStatus, Pick<Words, 'label' | 'tone'>>> = {
	made: { label: 'To send', tone: 'accent' },
	sent: { label: 'Sent', tone: 'good' },
	failed: { label: 'Failed', tone: 'bad' },
	settled: { label: 'Nothing to send', tone: undefined },
};

export const PAYOUT_OPTIONS = PAYOUT_STATUSES.map((value) => ({ value, label: PAYOUT_WORDS[value].label }));

export function PayoutBadge({ status }: { status: PayoutStatus }) {
	const { label, tone } = PAYOUT_WORDS[status];
	return <Badge tone={tone}>{label}</Badge>;
}

export const METHODS: Readonly<Record<PayoutMethod, string>> = { paypal: 'PayPal', wise: 'Wise', bank: 'Bank transfer' };

export const METHOD_OPTIONS = [
	...PAYOUT_METHODS.map((value) => ({ value, label: METHODS[value] })),
	{ value: 'none', label: 'No payout details' },
] as const;

/** What moved a balance. */
export const ENTRY_WORDS: Readonly<Record<ExplainedSale['ledger'][number]['kind'], string>> = {
	credit: 'Earned',
	reversal: 'Taken back: refunded',
	reinstatement: 'Given back',
	rejection: 'Taken back: rejected',
	payout: 'Paid out',
	recovery: 'Kept back for a debt',
	surplus: 'Paid: given back before',
	return: 'Back: the payout failed',
};

interface Sum {
	readonly currency: string;
	readonly cents: number;
}

/** One sum per currency: they are never added up. */
export function sumsOf<Row>(rows: readonly Row[], read: (row: Row) => Sum): Sum[] {
	const sums = new Map<string, number>();
	for (const row of rows) {
		const { currency, cents } = read(row);
		sums.set(currency, (sums.get(currency) ?? 0) + cents);
	}
	return [...sums].map(([currency, cents]) => ({ currency, cents })).toSorted((a, b) => a.currency.localeCompare(b.currency));
}

/** "$120.00 and €3.00" */
export function sumsText(sums: readonly Sum[]): string {
	return listFormat.format(sums.map(({ cents, currency }) => money(cents, currency)));
}

const listFormat = new Intl.ListFormat('en-US', { type: 'conjunction' });
