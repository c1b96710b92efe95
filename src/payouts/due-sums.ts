import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type LeftOut, type Minimum, PAYOUT_LIMIT } from '../domain/payouts/payout.ts';
import { accountsThat, type DueFilter, type FoundAccount } from './due-accounts.ts';

/** Sums over accounts with the same membership status, currency and reason. */
export interface DueSum {
	readonly status: FoundAccount['partner']['status'];
	readonly currency: string;
	/** Null if these accounts get a payout. */
	readonly leftOut: LeftOut | null;
	readonly accounts: number;
	readonly amountCents: number;
	readonly recoveredCents: number;
	readonly commissionCents: number;
	readonly surplusCents: number;
	readonly commissions: number;
	/** Accounts without a payout method. */
	readonly withoutMethod: number;
	/** Accounts with more commissions than one payout may have. */
	readonly aboveLimit: number;
}

/** Reads every account and unpaid commission of the matching partners, so it is for paying, not for a page that refreshes. */
export function selectDueSums(ctx: Context, programId: number, filter: DueFilter, minimum: Minimum) {
	return ctx.db.all<DueSum>(sql`
		SELECT status, currency, leftOut, count(*) AS accounts, sum(amount) AS amountCents, sum(payableCents + max(surplus, 0) - amount) AS recoveredCents,
			sum(payableCents) AS commissionCents, sum(max(surplus, 0)) AS surplusCents, sum(payableCount) AS commissions,
			sum(payoutMethod IS NULL) AS withoutMethod, sum(payableCount > ${PAYOUT_LIMIT}) AS aboveLimit
		FROM (
			SELECT *, CASE
				WHEN isAnything AND amount >= ${leastOf(minimum)} THEN NULL
				WHEN surplus < 0 THEN 'in_debt'
				ELSE iif(isAnything, 'below_minimum', 'nothing_approved') END AS leftOut
			FROM (
				SELECT *, max(payableCents + surplus, 0) AS amount, payableCount > 0 OR surplus > 0 AS isAnything
				FROM (SELECT *, balanceCents - unpaidCents AS surplus FROM (${accountsThat(ctx, programId, filter, sql`true`)}))))
		WHERE leftOut IS NULL OR balanceCents <> 0 OR unpaidCents <> 0
		GROUP BY status, currency, leftOut`);
}

function leastOf(minimum: Minimum): SQL {
	return typeof minimum === 'number' ? sql`${minimum}` : sql`iif(currency = ${minimum.currency}, ${minimum.cents}, 0)`;
}

export function payoutsIn(sums: readonly DueSum[]): number {
	return sums.reduce((payouts, { leftOut, accounts }) => (leftOut === null ? payouts + accounts : payouts), 0);
}
