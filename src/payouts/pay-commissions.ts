import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { retryOnConflict, isRaced, refusedWith, write } from '../db/client.ts';
import { choosePayable, minimumOf, type Payable, requireEach, whyNotPayable } from '../domain/payouts/payout.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { type SelectedCommission, selectSelected } from '../commissions/selected-commissions.ts';
import { type MatchingRequest, readMatching } from './matching-commissions.ts';
import { type Payout, selectPayouts } from './payout.ts';
import { payoutOutboxKey, payoutStatements } from './write-payouts.ts';

const MESSAGE_ROWS = 50;

export interface PayoutRequest extends MatchingRequest {
	/** Pays all of these or none. The other fields must be absent. */
	readonly commissionIds?: readonly number[] | undefined;
}

/**
 * Pays commissions and surpluses in one batch, with one payout per partner and currency (decisions 19 and 19a). Only one of two competing
 * requests pays. Rejects with 404 for an unknown commission or partner, and with 409 for a named commission that is not payable.
 */
export async function payCommissions(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<Payout[]> {
	const operation = crypto.randomUUID();
	const minimum = request.commissionIds === undefined ? minimumOf(request.minimumCents, program) : 0;
	const paid = await retryOnConflict(async (attempt) => {
		if (attempt > 1) {
			const own = await selectPayouts(ctx, program.id, { operation, withAllIds: true });
			if (own.length > 0) return own;
		}
		const { commissions: selected, surplusAccounts } = await choose(ctx, program, request);
		if (selected.length === 0 && surplusAccounts.length === 0) return [];
		const audited = auditProgram(ctx, program, { action: 'payout.make', detail: { operation, commissions: selected.length } });
		const writes = payoutStatements(ctx, {
			operation,
			programId: program.id,
			userId: program.actor.userId,
			selected,
			surplusAccounts,
			minimum,
		});
		const { payouts } = await write(ctx.db, [...writes, audited], {
			payouts: selectPayouts(ctx, program.id, { operation, withAllIds: true }),
		});
		return payouts;
	}, isOvertaken);
	announce(ctx, { programId: program.id, operation }, paid);
	return paid;
}

/** A commission or balance changed since the read, or an earlier attempt was committed. */
function isOvertaken(error: unknown): boolean {
	return isRaced(error) || refusedWith(error, 'NOT NULL constraint failed: payouts.amount_cents');
}

async function choose(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<Payable<SelectedCommission>> {
	if (request.commissionIds === undefined) return chooseMatching(ctx, program, request);
	const ids = [...new Set(request.commissionIds)];
	const selected = await selectSelected(ctx, program.id, ids);
	requireEach('Commission', ids, selected, (commission) => whyNotPayable(commission, ctx.now));
	return { commissions: selected, surplusAccounts: [] };
}

async function chooseMatching(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<Payable<SelectedCommission>> {
	const { found, accounts } = await readMatching(ctx, program, request, request.partnerIds ?? []);
	return choosePayable(found, accounts, minimumOf(request.minimumCents, program), ctx.now);
}

/** A message must fit the queue and its consumer. */
function announce(ctx: Context, plan: { programId: number; operation: string }, paid: readonly Payout[]): void {
	const rows = paid.map((payout) => payoutOutboxKey(plan, payout.id));
	for (let start = 0; start < rows.length; start += MESSAGE_ROWS) sendEffects(ctx, rows.slice(start, start + MESSAGE_ROWS));
}
