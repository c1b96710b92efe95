import { type Account, type Minimum, PAYOUT_LIMIT, type Planned, planAccount } from './payout.ts';

// Computes what is due per account from stored sums, without reading commissions (decision 64).

export interface DueAccount extends Account {
	readonly partnerId: number;
	readonly payableCount: number;
	readonly payableCents: number;
}

export const PAY_OUTCOMES = ['paid', 'below_minimum', 'in_debt'] as const;
export type PayOutcome = (typeof PAY_OUTCOMES)[number];

export interface DuePosition {
	readonly partnerId: number;
	readonly currency: string;
}

export function formatDuePosition({ partnerId, currency }: DuePosition): string {
	return `${partnerId}.${currency}`;
}

export function parseDuePosition(text: string): DuePosition | undefined {
	const match = /^([1-9]\d{0,14})\.([A-Z]{3})$/.exec(text);
	return match ? { partnerId: Number(match[1]), currency: match[2] ?? '' } : undefined;
}

export function planDue(account: DueAccount, minimum: Minimum): Planned {
	return planAccount(account, { count: account.payableCount, cents: account.payableCents }, minimum);
}

export function isEmpty({ balanceCents, unpaidCents }: Pick<Account, 'balanceCents' | 'unpaidCents'>): boolean {
	return balanceCents === 0 && unpaidCents === 0;
}

/** At least one account, even if its commissions exceed the limit. */
export function takeForSlice<Taken extends Pick<DueAccount, 'payableCount'>>(
	accounts: readonly Taken[],
	most: { readonly accounts: number; readonly commissions: number },
): readonly Taken[] {
	let commissions = 0;
	const end = accounts.findIndex(({ payableCount }, index) => {
		commissions += Math.min(payableCount, PAYOUT_LIMIT);
		return index > 0 && (index >= most.accounts || commissions > most.commissions);
	});
	return end === -1 ? accounts : accounts.slice(0, end);
}
