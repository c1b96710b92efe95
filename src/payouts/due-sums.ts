import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type LeftOut, type Minimum, PAYOUT_LIMIT } from '../domain/payouts/payout.ts';
import { accountsThat, type DueFilter, type FoundAccount } from './due-accounts.ts';

/** What accounts of one state of membership and one currency are due, if a payout of all of it were made now. */
export interface DueSum {
	readonly status: FoundAccount['partner']['status'];
	readonly currency: string;
	/** Why these accounts would get no payout; null: they would get one. */
	readonly leftOut: LeftOut | null;
	readonly accounts: number;
	readonly amountCents: number;
	readonly recoveredCents: number;
	readonly commissionCents: number;
	readonly surplusCents: number;
	readonly commissions: number;
	/** Accounts whose partner has not said how they are paid. */
	readonly withoutMethod: number;
	/** Accounts with more commissions than one payout may have. */
	readonly aboveLimit: number;
}

/**
 * Sums over all accounts that match, as a statement. It reads every account and every unpaid commission of the partners that match,
 * so it is for who pays, not for a page that is opened all the time.
 */
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

/** How many payouts of active members these are: whom a run pays that names nobody. */
export function payoutsIn(sums: readonly DueSum[]): number {
	return sums.reduce((payouts, { leftOut, accounts }) => (leftOut === null ? payouts + accounts : payouts), 0);
}
