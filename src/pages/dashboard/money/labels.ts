import { PAYOUT_METHODS } from '../../../domain/payouts/payout-details.ts';
import { PAYOUT_STATUSES } from '../../../domain/payouts/payout-state.ts';
import { money } from '../../format.ts';
import type { CommissionState } from '../../labels/commission.tsx';
import { METHODS, payoutLabel } from '../../labels/payout.tsx';
import type { ExplainedSale } from '../explanation.tsx';

// Labels for the money pages.

/** What each state means for the program, and what comes next. */
export const MEANINGS: Readonly<Record<CommissionState, string>> = {
	pending:
		'The hold leaves time for refunds. Its length is set in the rule. When it ends, the commission is approved automatically. Approve a commission to end its hold now, or reject it for good.',
	approved: 'The hold is over. The next payout pays these commissions, unless you reject them first.',
	paid: 'These commissions are part of a payout. If one of their sales is refunded, the next payout deducts what was overpaid.',
	refunded:
		'Part of the sale was refunded. The sum is what is left of these commissions. If it was not paid before the refund, it can still be paid.',
	reversed: 'The whole sale was refunded. Nothing is left of these commissions.',
	rejected: 'These commissions were rejected. Their amounts were deducted for good.',
};

export const PAYOUT_OPTIONS = PAYOUT_STATUSES.map((value) => ({ value, label: payoutLabel(value) }));

export const METHOD_OPTIONS = [
	...PAYOUT_METHODS.map((value) => ({ value, label: METHODS[value] })),
	{ value: 'none', label: 'No payout details' },
] as const;

export const ENTRY_WORDS: Readonly<Record<ExplainedSale['ledger'][number]['kind'], string>> = {
	credit: 'Earned',
	reversal: 'Deducted for a refund',
	reinstatement: 'Reinstated',
	rejection: 'Deducted: rejected',
	payout: 'Paid out',
	recovery: 'Debt recovered',
	surplus: 'Reinstated amount paid out',
	return: 'Credited again: payout failed',
};

interface Sum {
	readonly currency: string;
	readonly cents: number;
}

/** One sum per currency. */
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

/** The total of the payouts. */
export function worthOf(payouts: readonly { readonly currency: string; readonly amount_cents: number }[]): string {
	return sumsText(sumsOf(payouts, ({ currency, amount_cents: cents }) => ({ currency, cents })));
}

const listFormat = new Intl.ListFormat('en-US', { type: 'conjunction' });
