import { type Account, type Minimum, PAYOUT_LIMIT, type Planned, planAccount } from './payout.ts';

// What is due, account by account, with sums in place of commissions (decision 64).

/** An account with the sums of what can be paid of it now. */
export interface DueAccount extends Account {
	readonly partnerId: number;
	/** How many of its commissions can be paid now, and what they have left. */
	readonly payableCount: number;
	readonly payableCents: number;
}

/** What a pay run did for an account. */
export const PAY_OUTCOMES = ['paid', 'below_minimum', 'in_debt'] as const;
export type PayOutcome = (typeof PAY_OUTCOMES)[number];

/** Accounts come in the order of partners, and of currencies: no two share a place. */
export interface DuePosition {
	readonly partnerId: number;
	readonly currency: string;
}

/** The position as a cursor, and back; undefined for what is none. */
export function formatDuePosition({ partnerId, currency }: DuePosition): string {
	return `${partnerId}.${currency}`;
}

export function parseDuePosition(text: string): DuePosition | undefined {
	const match = /^([1-9]\d{0,14})\.([A-Z]{3})$/.exec(text);
	return match ? { partnerId: Number(match[1]), currency: match[2] ?? '' } : undefined;
}

/** What the account would be paid if all that can be paid now went into one payout. */
export function planDue(account: DueAccount, minimum: Minimum): Planned {
	return planAccount(account, { count: account.payableCount, cents: account.payableCents }, minimum);
}

/** Whether there is nothing in the account, which is left out without a word. */
export function isEmpty({ balanceCents, unpaidCents }: Pick<Account, 'balanceCents' | 'unpaidCents'>): boolean {
	return balanceCents === 0 && unpaidCents === 0;
}

/** The first accounts, as many as one slice pays: always one, even if that has more commissions than a slice should. */
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
