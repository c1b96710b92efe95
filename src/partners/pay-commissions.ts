import { and, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { commit, decideUntilSettled, isRaced, refusedWith, runBatch } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerProgramBalances, partnerPrograms } from '../db/schema/partners.ts';
import type { Moment } from '../domain/moment.ts';
import { choosePayable, PAYOUT_LIMIT, requireEach, whyNotPayable } from '../domain/payout.ts';
import { invalid, notFound } from '../domain/rejection.ts';
import { sendEffects } from '../tracking/outbox.ts';
import { type ChosenCommission, chosenColumns, selectChosen } from './chosen-commissions.ts';
import { type Payout, selectPayouts } from './payout.ts';
import { payoutOutboxId, payoutStatements } from './write-payouts.ts';

/** Outbox rows per message. */
const MESSAGE_ROWS = 50;

export interface PayoutRequest {
	/** Exactly these, or nothing. */
	readonly commissionIds?: readonly number[] | undefined;
	/** Or whatever is payable and matches the rest. */
	readonly partnerIds?: readonly number[] | undefined;
	/** Commissions made before it. */
	readonly before?: Moment | undefined;
	/** Per partner and currency; compared with what would be paid. */
	readonly minimumCents?: number | undefined;
}

/**
 * Pays commissions: one payout per partner and currency, all in one batch (decisions 19 and 19a). Of two requests for the
 * same commissions one pays. Rejects with 404 an unknown commission or partner, with 409 a commission that was asked for
 * and cannot be paid.
 */
export async function payCommissions(ctx: Context, actor: Actor, program: ManagedProgram, request: PayoutRequest): Promise<Payout[]> {
	const operation = crypto.randomUUID();
	const minimumCents = request.minimumCents ?? 0;
	const paid = await decideUntilSettled(async (attempt) => {
		if (attempt > 1) {
			const own = await selectPayouts(ctx, program.id, { operation });
			if (own.length > 0) return own;
		}
		const chosen = await choose(ctx, program, request);
		if (chosen.length === 0) return [];
		const audited = auditEntry(ctx, actor, {
			workspaceId: program.workspaceId,
			programId: program.id,
			action: 'payout.make',
			detail: { operation, commissions: chosen.length },
		});
		const writes = payoutStatements(ctx, { operation, programId: program.id, userId: actor.userId, chosen, minimumCents });
		return commit(ctx.db, [...writes, audited], selectPayouts(ctx, program.id, { operation }));
	}, isOvertaken);
	announce(ctx, operation, paid);
	return paid;
}

/** A commission or balance changed since it was read, or an earlier try of this very operation was committed after all. */
function isOvertaken(error: unknown): boolean {
	return isRaced(error) || refusedWith(error, 'NOT NULL constraint failed: payouts.amount_cents');
}

async function choose(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<ChosenCommission[]> {
	if (request.commissionIds === undefined) return chooseMatching(ctx, program, request);
	const ids = [...new Set(request.commissionIds)];
	const chosen = await selectChosen(ctx, program.id, ids);
	requireEach(ids, chosen, (commission) => whyNotPayable(commission, ctx.now));
	return chosen;
}

async function chooseMatching(ctx: Context, program: ManagedProgram, request: PayoutRequest): Promise<ChosenCommission[]> {
	const [found, balances, known] = await runBatch(ctx.db, [
		selectMatching(ctx, program, request),
		ctx.db
			.select({
				partnerProgramId: partnerProgramBalances.partnerProgramId,
				currency: partnerProgramBalances.currency,
				balanceCents: partnerProgramBalances.balanceCents,
			})
			.from(partnerProgramBalances)
			.innerJoin(partnerPrograms, eq(partnerPrograms.id, partnerProgramBalances.partnerProgramId))
			.where(eq(partnerPrograms.programId, program.id)),
		selectMemberships(ctx, program, request.partnerIds ?? []),
	]);
	const knownIds = new Set(known.map((membership) => membership.partnerId));
	const unknownId = request.partnerIds?.find((id) => !knownIds.has(id));
	if (unknownId !== undefined) throw notFound(`Partner ${unknownId}`);
	if (found.length > PAYOUT_LIMIT) {
		throw invalid(`More than ${PAYOUT_LIMIT} commissions match: narrow the payout down with partner_ids or before`);
	}
	return choosePayable(found, balances, request.minimumCents ?? 0, ctx.now);
}

function selectMatching(ctx: Context, program: ManagedProgram, request: PayoutRequest) {
	const { before, partnerIds } = request;
	return ctx.db
		.select(chosenColumns)
		.from(commissions)
		.where(
			and(
				eq(commissions.programId, program.id),
				inArray(commissions.status, ['approved', 'refunded']),
				isNull(commissions.paidAt),
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
		.orderBy(commissions.id)
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
function announce(ctx: Context, operation: string, paid: readonly Payout[]): void {
	const ids = paid.map((payout) => payoutOutboxId(operation, payout.id));
	for (let start = 0; start < ids.length; start += MESSAGE_ROWS) sendEffects(ctx, ids.slice(start, start + MESSAGE_ROWS));
}
