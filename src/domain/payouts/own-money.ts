import type { Balance } from './payout.ts';

/** A partner's payouts in one currency that have something to send and have not failed. */
export interface OwnPayoutSum {
	readonly currency: string;
	readonly isSent: boolean;
	readonly payouts: number;
	readonly amountCents: number;
	readonly newestId: number;
}

/** Where a partner's money is, in one currency. */
export interface OwnMoney {
	readonly currency: string;
	readonly onHoldCents: number;
	readonly availableCents: number;
	/** In payouts that were made but not sent. */
	readonly onItsWayCents: number;
	readonly onItsWayPayouts: number;
	readonly onItsWayPayoutId: number | null;
	/** In payouts that were sent and did not fail. */
	readonly paidCents: number;
	readonly paidPayouts: number;
}

/** The program's currency comes first, even if all its sums are 0, and then every other one that has a balance or a payout. */
export function ownMoneyOf(own: string, balances: Readonly<Record<string, Balance>>, payouts: readonly OwnPayoutSum[]): OwnMoney[] {
	const others = new Set([
		...Object.entries(balances).flatMap(([code, balance]) => (isAnything(balance) ? [code] : [])),
		...payouts.map(({ currency }) => currency),
	]);
	others.delete(own);
	return [own, ...[...others].toSorted()].map((currency) => {
		const sumOf = (isSent: boolean) => payouts.find((sum) => sum.currency === currency && sum.isSent === isSent);
		const [unsent, sent] = [sumOf(false), sumOf(true)];
		return {
			currency,
			onHoldCents: balances[currency]?.pendingCents ?? 0,
			availableCents: balances[currency]?.availableCents ?? 0,
			onItsWayCents: unsent?.amountCents ?? 0,
			onItsWayPayouts: unsent?.payouts ?? 0,
			onItsWayPayoutId: unsent?.payouts === 1 ? unsent.newestId : null,
			paidCents: sent?.amountCents ?? 0,
			paidPayouts: sent?.payouts ?? 0,
		};
	});
}

function isAnything(balance: Balance): boolean {
	return Object.values(balance).some((cents) => cents !== 0);
}
