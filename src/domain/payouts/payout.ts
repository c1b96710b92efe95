import { isoOf } from '../instant.ts';
import { moneyText } from '../money.ts';
import type { CommissionStatus } from '../refunds/reversal.ts';
import { conflict, invalid, notFound } from '../rejection.ts';

/** Instants are ms, UTC. */
export interface DecidableCommission {
	readonly id: number;
	readonly status: CommissionStatus;
	readonly amountCents: number;
	readonly deductedCents: number;
	readonly statusBeforeRefund: 'pending' | 'approved' | 'paid' | null;
	readonly holdUntil: number;
	readonly paidAt: number | null;
}

const PAID_BEFORE = 'is refunded and was already paid';

export const PAYOUT_LIMIT = 10_000;

export function remainderOf(commission: Pick<DecidableCommission, 'amountCents' | 'deductedCents'>): number {
	return commission.amountCents - commission.deductedCents;
}

/** Why a commission cannot be paid now; undefined if it can (decision 19). */
export function whyNotPayable(commission: DecidableCommission, now: number): string | undefined {
	if (commission.status === 'approved') return undefined;
	if (commission.status === 'refunded') return whyRestNotPayable(commission, now);
	return `is ${commission.status}: only approved commissions and the rest of partly refunded ones can be paid`;
}

/** Why a commission cannot be approved; undefined if it can. */
export function whyNotApprovable(commission: DecidableCommission): string | undefined {
	const { status, statusBeforeRefund, paidAt, holdUntil } = commission;
	if (status === 'pending') return undefined;
	if (status === 'refunded' && statusBeforeRefund === 'pending' && paidAt === null && remainderOf(commission) > 0)
		return `is partly refunded: the rest needs no approval and can be paid from ${isoOf(holdUntil)}`;
	return `is ${status}: only pending commissions can be approved`;
}

/** Why a commission cannot be rejected; undefined if it can (decision 19a). */
export function whyNotRejectable(commission: DecidableCommission): string | undefined {
	const { status } = commission;
	if (status === 'pending' || status === 'approved') return undefined;
	if (status === 'refunded' && commission.paidAt !== null) return PAID_BEFORE;
	if (status === 'refunded') return remainderOf(commission) > 0 ? undefined : 'is refunded and has nothing left to reject';
	return `is ${status}: only pending and approved commissions and the rest of partly refunded ones can be rejected`;
}

/** The hold also applies to the rest, unless the commission was approved before the refund. */
function whyRestNotPayable(commission: DecidableCommission, now: number): string | undefined {
	if (commission.paidAt !== null) return PAID_BEFORE;
	if (remainderOf(commission) === 0) return 'is refunded and has nothing left to pay';
	if (commission.statusBeforeRefund === 'pending' && commission.holdUntil > now) {
		return `is partly refunded and the rest is on hold until ${isoOf(commission.holdUntil)}`;
	}
	return undefined;
}

export interface PayableCommission extends DecidableCommission {
	readonly partnerProgramId: number;
	readonly currency: string;
}

export interface Account {
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly balanceCents: number;
	/** On hold or not. */
	readonly unpaidCents: number;
}

/**
 * What the account is owed apart from its commissions (decision 19a); negative if it is in debt. Unpaid commissions are excluded because
 * they may still be refunded.
 */
export function surplusOf({ balanceCents, unpaidCents }: Pick<Account, 'balanceCents' | 'unpaidCents'>): number {
	return balanceCents - unpaidCents;
}

/** The amount of a payout: commissions plus surplus, never below zero. */
export function paidOf(commissionCents: number, surplusCents: number): number {
	return Math.max(commissionCents + surplusCents, 0);
}

/** A balance for display: available + pending - debt. None of the three is negative. */
export interface Balance {
	/** What a payout would pay now. */
	readonly availableCents: number;
	readonly pendingCents: number;
	readonly debtCents: number;
}

export function balanceOf(balanceCents: number, pendingCents: number): Balance {
	return {
		availableCents: Math.max(balanceCents - pendingCents, 0),
		pendingCents,
		debtCents: Math.max(pendingCents - balanceCents, 0),
	};
}

export type Minimum = number | { readonly cents: number; readonly currency: string };

/** The requested minimum for all currencies, or the program's minimum for its own (management, 7). */
export function minimumOf(
	askedCents: number | undefined,
	program: { readonly payoutMinimumCents: number; readonly currency: string },
): Minimum {
	return askedCents ?? { cents: program.payoutMinimumCents, currency: program.currency };
}

export function minimumIn(minimum: Minimum, currency: string): number {
	if (typeof minimum === 'number') return minimum;
	return minimum.currency === currency ? minimum.cents : 0;
}

export interface Payable<Commission extends PayableCommission> {
	readonly commissions: readonly Commission[];
	readonly surplusAccounts: readonly Account[];
}

export const LEFT_OUTS = ['below_minimum', 'in_debt', 'nothing_approved'] as const;
export type LeftOut = (typeof LEFT_OUTS)[number];

/** The payout of an account: amount + recovered = commissions + surplus. */
export interface Planned {
	readonly amountCents: number;
	readonly recoveredCents: number;
	readonly commissionCents: number;
	readonly surplusCents: number;
	readonly leftOut: LeftOut | undefined;
}

export interface PlannedPayout<Commission extends PayableCommission> extends Planned {
	readonly account: Account;
	readonly commissions: readonly Commission[];
}

export function planAccount(account: Account, payable: { readonly count: number; readonly cents: number }, minimum: Minimum): Planned {
	const surplus = surplusOf(account);
	const amountCents = paidOf(payable.cents, surplus);
	const isAnything = payable.count > 0 || surplus > 0;
	const surplusCents = Math.max(surplus, 0);
	return {
		amountCents,
		recoveredCents: payable.cents + surplusCents - amountCents,
		commissionCents: payable.cents,
		surplusCents,
		leftOut: isAnything && amountCents >= minimumIn(minimum, account.currency) ? undefined : leftOutOf(isAnything, surplus),
	};
}

export function planPayouts<Commission extends PayableCommission>(
	found: readonly Commission[],
	accounts: readonly Account[],
	minimum: Minimum,
	now: number,
): PlannedPayout<Commission>[] {
	const payable = Map.groupBy(
		found.filter((commission) => whyNotPayable(commission, now) === undefined),
		accountOf,
	);
	return accounts.map((account) => {
		const commissions = payable.get(accountOf(account)) ?? [];
		const cents = commissions.reduce((sum, commission) => sum + remainderOf(commission), 0);
		return { account, commissions, ...planAccount(account, { count: commissions.length, cents }, minimum) };
	});
}

function leftOutOf(isAnything: boolean, surplusCents: number): LeftOut {
	if (surplusCents < 0) return 'in_debt';
	return isAnything ? 'below_minimum' : 'nothing_approved';
}

export function choosePayable<Commission extends PayableCommission>(
	found: readonly Commission[],
	accounts: readonly Account[],
	minimum: Minimum,
	now: number,
): Payable<Commission> {
	const paid = planPayouts(found, accounts, minimum, now).filter(({ leftOut }) => leftOut === undefined);
	return {
		commissions: paid.flatMap(({ commissions }) => commissions),
		surplusAccounts: paid.filter(({ commissions }) => commissions.length === 0).map(({ account }) => account),
	};
}

export function leftOutReasonOf(
	planned: Planned & { readonly account: Account; readonly commissions: { readonly length: number } },
	minimum: Minimum,
): string {
	const { account, amountCents, recoveredCents, commissions, leftOut } = planned;
	const { currency } = account;
	if (leftOut === 'nothing_approved')
		return 'None of the partner’s commissions can be paid: they are on hold, or the request leaves them out';
	const shortfall = `less than the minimum of ${moneyText(minimumIn(minimum, currency), currency)}`;
	if (leftOut === 'below_minimum') return `The payout would be ${moneyText(amountCents, currency)}, ${shortfall}`;
	if (commissions.length === 0)
		return `The partner has a debt of ${moneyText(-surplusOf(account), currency)}, and none of their commissions can be paid`;
	return `The payout would be ${moneyText(amountCents, currency)}, ${shortfall}: ${moneyText(recoveredCents, currency)} would be deducted for an earlier debt`;
}

/** What whoever pays should know first; undefined if nothing. It does not prevent the payout. */
export function warningOf({ payoutMethod }: { readonly payoutMethod: string | null }): string | undefined {
	return payoutMethod === null
		? 'The partner has not entered payout details. The payout can be made, but no file will include it until they do'
		: undefined;
}

/** Amounts are minor units of `currency`. */
export function amountReasonOf(payout: {
	readonly amountCents: number;
	readonly recoveredCents: number;
	readonly surplusCents: number;
	readonly currency: string;
}): string {
	const { amountCents, recoveredCents, surplusCents, currency } = payout;
	const commissions = 'The unpaid part of its commissions';
	if (surplusCents > 0) {
		const back = 'credited back because a refund or payout failed or a dispute was won';
		return surplusCents === amountCents ? `Was ${back}` : `${commissions}, and ${moneyText(surplusCents, currency)} ${back}`;
	}
	if (recoveredCents === 0) return commissions;
	const kept = `${moneyText(recoveredCents, currency)} deducted for an earlier debt`;
	return amountCents === 0 ? `Nothing to pay: ${kept}` : `${commissions}, less ${kept}`;
}

/** Rejects with 404 for the first unknown id, and with 409 for the first in a wrong state. */
export function requireEach<Thing extends { readonly id: number }>(
	noun: 'Commission' | 'Payout',
	ids: readonly number[],
	found: readonly Thing[],
	whyNot: (thing: Thing) => string | undefined,
): void {
	const byId = new Map(found.map((thing) => [thing.id, thing]));
	for (const id of ids) {
		const thing = byId.get(id);
		if (!thing) throw notFound(`${noun} ${id}`);
		const reason = whyNot(thing);
		if (reason !== undefined) throw conflict(`${noun} ${id} ${reason}`);
	}
}

/** Rejects with 409 if the filter matches a different number of commissions than the caller saw, and with 400 above the limit. */
export function requireExpected(
	found: number,
	expected: { readonly count: number; readonly limit: number; readonly made: 'approved' | 'rejected' },
): void {
	const { count, limit, made } = expected;
	if (found > limit) throw invalid(`More than ${limit} commissions match and can be ${made}. Narrow the filter`);
	if (found !== count) {
		const matching = found === 1 ? '1 commission matches and can be' : `${found} commissions match and can be`;
		throw conflict(`${matching} ${made}, not ${count}. Reload and try again`);
	}
}

export function accountOf(account: Pick<Account, 'partnerProgramId' | 'currency'>): string {
	return `${account.partnerProgramId} ${account.currency}`;
}
