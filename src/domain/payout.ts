import type { CommissionStatus } from './reversal.ts';
import { notFound, Rejection } from './rejection.ts';

/** What a payout, an approval or a rejection asks of a commission. Instants are ms, UTC. */
export interface DecidableCommission {
	readonly id: number;
	readonly status: CommissionStatus;
	readonly amountCents: number;
	readonly deductedCents: number;
	readonly statusBeforeRefund: 'pending' | 'approved' | 'paid' | null;
	readonly holdUntil: number;
	readonly paidAt: number | null;
}

/** The most commissions of one payout request. */
export const PAYOUT_LIMIT = 10_000;

/** What a commission still stands for, after the refunds of its sale. */
export function remainderOf(commission: Pick<DecidableCommission, 'amountCents' | 'deductedCents'>): number {
	return commission.amountCents - commission.deductedCents;
}

/** Why a commission cannot be paid now, or undefined where it can: approved, or the rest of a partly refunded one (decision 19). */
export function whyNotPayable(commission: DecidableCommission, now: number): string | undefined {
	if (commission.status === 'approved') return undefined;
	if (commission.status === 'refunded') return whyRestNotPayable(commission, now);
	return `is ${commission.status}: only approved commissions, and what is left of partly refunded ones, can be paid`;
}

/** Why a commission cannot be approved, or undefined. Before the end of its hold it can. */
export function whyNotApprovable(commission: DecidableCommission): string | undefined {
	return commission.status === 'pending' ? undefined : `is ${commission.status}: only pending commissions can be approved`;
}

/** Why a commission cannot be rejected, or undefined. */
export function whyNotRejectable(commission: DecidableCommission): string | undefined {
	return commission.status === 'pending' || commission.status === 'approved'
		? undefined
		: `is ${commission.status}: only pending and approved commissions can be rejected`;
}

/** The hold binds the rest as it bound the whole; one that was approved before the refund has it behind it. */
function whyRestNotPayable(commission: DecidableCommission, now: number): string | undefined {
	if (commission.paidAt !== null) return 'is refunded and was paid already';
	if (remainderOf(commission) === 0) return 'is refunded and nothing of it is left to pay';
	if (commission.statusBeforeRefund === 'pending' && commission.holdUntil > now) {
		return `is refunded and what is left of it is on hold until ${new Date(commission.holdUntil).toISOString()}`;
	}
	return undefined;
}

export interface PayableCommission extends DecidableCommission {
	readonly partnerProgramId: number;
	readonly currency: string;
}

export interface Balance {
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly balanceCents: number;
}

/** What a payout of these remainders pays: at most the balance, so that a debt is recovered from it (decision 19a). */
export function paidOf(commissionCents: number, balanceCents: number): number {
	return Math.min(commissionCents, Math.max(balanceCents, 0));
}

/** Of commissions that match a filter those to pay: payable now, of an account that would be paid at least the minimum. */
export function choosePayable<Commission extends PayableCommission>(
	commissions: readonly Commission[],
	balances: readonly Balance[],
	minimumCents: number,
	now: number,
): Commission[] {
	const balanceOf = new Map(balances.map((balance) => [accountOf(balance), balance.balanceCents]));
	const payable = commissions.filter((commission) => whyNotPayable(commission, now) === undefined);
	return [...Map.groupBy(payable, accountOf)].flatMap(([account, chosen]) => {
		const commissionCents = chosen.reduce((sum, commission) => sum + remainderOf(commission), 0);
		return paidOf(commissionCents, balanceOf.get(account) ?? 0) >= minimumCents ? chosen : [];
	});
}

/** Each of the ids, or none: rejects with 404 the first unknown one, with 409 the first in a wrong state. */
export function requireEach(
	ids: readonly number[],
	found: readonly DecidableCommission[],
	whyNot: (commission: DecidableCommission) => string | undefined,
): void {
	const byId = new Map(found.map((commission) => [commission.id, commission]));
	for (const id of ids) {
		const commission = byId.get(id);
		if (!commission) throw notFound(`Commission ${id}`);
		const reason = whyNot(commission);
		if (reason !== undefined) throw new Rejection('conflict', { message: `Commission ${id} ${reason}` });
	}
}

function accountOf(account: Pick<Balance, 'partnerProgramId' | 'currency'>): string {
	return `${account.partnerProgramId} ${account.currency}`;
}
