import { and, eq, lt, ne, or, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { decideUntilSettled, isRaced, read, refusedWith, write } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import type { Moment } from '../domain/moment.ts';
import { choosePayable, type Payable, PAYOUT_LIMIT, requireEach, whyNotPayable } from '../domain/payout.ts';
import { invalid, notFound } from '../domain/rejection.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { selectAccounts } from './balances.ts';
import { type ChosenCommission, chosenColumns, selectChosen } from './chosen-commissions.ts';
import { type Payout, selectPayouts } from './payout.ts';
import { payoutOutboxKey, payoutStatements } from './write-payouts.ts';

/** Outbox rows per message. */
const MESSAGE_ROWS = 50;

export interface PayoutRequest {
	/** Exactly these, or nothing. */
	readonly commissionIds?: readonly number[] | undefined;
	/** Or whatever is payable and matches the rest, accounts that have nothing but a surplus too. */
	readonly partnerIds?: readonly number[] | undefined;
	/** Commissions made before it; a surplus has no date. */
	readonly before?: Moment | undefined;
	/** Per partner and currency; compared with what would be paid. */
	readonly minimumCents?: number | undefined;
}

/**
 * Pays commissions, and the surplus of their accounts: one payout per partner and currency, all in one batch (decisions 19 and 19a).
 * Of two requests for the same commissions or the same surplus one pays. Rejects with 404 an unknown commission or partner, with 409 a commission that was asked for
 * and cannot be paid.
 */
export async function payCommissions(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<Payout[]> {
	const operation = crypto.randomUUID();
	const minimumCents = request.minimumCents ?? 0;
	const paid = await decideUntilSettled(async (attempt) => {
		if (attempt > 1) {
			const own = await selectPayouts(ctx, program.id, { operation });
			if (own.length > 0) return own;
		}
		const { commissions: chosen, surplusAccounts } = await choose(ctx, program, request);
		if (chosen.length === 0 && surplusAccounts.length === 0) return [];
		const audited = auditProgram(ctx, program, { action: 'payout.make', detail: { operation, commissions: chosen.length } });
		const writes = payoutStatements(ctx, {
			operation,
			programId: program.id,
			userId: program.actor.userId,
			chosen,
			surplusAccounts,
			minimumCents,
		});
		const { payouts } = await write(ctx.db, [...writes, audited], { payouts: selectPayouts(ctx, program.id, { operation }) });
		return payouts;
	}, isOvertaken);
	announce(ctx, { programId: program.id, operation }, paid);
	return paid;
}

/** A commission or balance changed since it was read, or an earlier try of this very operation was committed after all. */
function isOvertaken(error: unknown): boolean {
	return isRaced(error) || refusedWith(error, 'NOT NULL constraint failed: payouts.amount_cents');
}

async function choose(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<Payable<ChosenCommission>> {
	if (request.commissionIds === undefined) return chooseMatching(ctx, program, request);
	const ids = [...new Set(request.commissionIds)];
	const chosen = await selectChosen(ctx, program.id, ids);
	requireEach(ids, chosen, (commission) => whyNotPayable(commission, ctx.now));
	return { commissions: chosen, surplusAccounts: [] };
}

async function chooseMatching(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<Payable<ChosenCommission>> {
	const { found, accounts, known } = await read(ctx.db, {
		found: selectMatching(ctx, program, request),
		accounts: selectAccounts(ctx, program.id, request.partnerIds),
		known: selectMemberships(ctx, program, request.partnerIds ?? []),
	});
	const knownIds = new Set(known.map((membership) => membership.partnerId));
	const unknownId = request.partnerIds?.find((id) => !knownIds.has(id));
	if (unknownId !== undefined) throw notFound(`Partner ${unknownId}`);
	if (found.length > PAYOUT_LIMIT) {
		throw invalid(`More than ${PAYOUT_LIMIT} commissions match: narrow the payout down with partner_ids or before`);
	}
	return choosePayable(found, accounts, request.minimumCents ?? 0, ctx.now);
}

function selectMatching(ctx: Context, program: ManagedProgram, request: PayoutRequest) {
	const { before, partnerIds } = request;
	return ctx.db
		.select(chosenColumns)
		.from(commissions)
		.where(
			and(
				eq(commissions.programId, program.id),
				// As the index commissions_unpaid spells it.
				sql`${commissions.paidAt} IS NULL AND ${commissions.status} IN ('pending', 'approved', 'refunded')`,
				ne(commissions.status, 'pending'),
				or(eq(commissions.status, 'approved'), ne(commissions.amountCents, commissions.deductedCents)),
				before?.kind === 'day' ? lt(commissions.createdDay, before.day) : undefined,
				before?.kind === 'instant' ? lt(commissions.createdAt, before.at) : undefined,
				partnerIds === undefined
					? undefined
					: sql`${commissions.partnerProgramId} IN (
							SELECT id FROM partner_programs WHERE program_id = ${program.id}
								AND partner_id IN (SELECT value FROM json_each(${JSON.stringify(partnerIds)})))`,
			),
		)
		.limit(PAYOUT_LIMIT + 1);
}

function selectMemberships(ctx: Context, program: ManagedProgram, partnerIds: readonly number[]) {
	return ctx.db
		.select({ partnerId: partnerPrograms.partnerId })
		.from(partnerPrograms)
		.where(
			and(
				eq(partnerPrograms.programId, program.id),
				sql`${partnerPrograms.partnerId} IN (SELECT value FROM json_each(${JSON.stringify(partnerIds)}))`,
			),
		);
}

/** In messages of a size that the queue and its consumer take easily. */
function announce(ctx: Context, plan: { programId: number; operation: string }, paid: readonly Payout[]): void {
	const rows = paid.map((payout) => payoutOutboxKey(plan, payout.id));
	for (let start = 0; start < rows.length; start += MESSAGE_ROWS) sendEffects(ctx, rows.slice(start, start + MESSAGE_ROWS));
}
