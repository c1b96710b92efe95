import { and, eq, lt, ne, or, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import type { DayOrInstant } from '../domain/moment.ts';
import { PAYOUT_LIMIT } from '../domain/payouts/payout.ts';
import { invalid, notFound } from '../domain/rejection.ts';
import { selectAccounts } from '../ledger/balances.ts';
import { selectedColumns } from '../commissions/selected-commissions.ts';

/** Pays all matching payable commissions, and accounts with only a surplus. */
export interface MatchingRequest {
	readonly partnerIds?: readonly number[] | undefined;
	/** Only commissions created before it; a surplus has no date. */
	readonly before?: DayOrInstant | undefined;
	/** Per partner and currency, for the amount to pay. */
	readonly minimumCents?: number | undefined;
}

interface ProgramRef {
	readonly id: number;
}

/**
 * Commissions that may be payable, with accounts and memberships. One round trip. Rejects with 404 for an unknown partner, and with 400 for
 * too many commissions.
 */
export async function readMatching(
	ctx: Context,
	program: ProgramRef,
	request: MatchingRequest,
	membersOf: readonly number[] | undefined = request.partnerIds,
) {
	const { found, accounts, members } = await read(ctx.db, {
		found: selectMatching(ctx, program, request),
		accounts: selectAccounts(ctx, program.id, request.partnerIds),
		members: selectMembers(ctx, program, membersOf),
	});
	const knownIds = new Set(members.map(({ partner }) => partner.id));
	const unknownId = request.partnerIds?.find((id) => !knownIds.has(id));
	if (unknownId !== undefined) throw notFound(`Partner ${unknownId}`);
	if (found.length > PAYOUT_LIMIT) {
		throw invalid(
			`More than ${PAYOUT_LIMIT} commissions match: start a run (POST .../payouts/runs), or narrow the payout with partner_ids or before`,
		);
	}
	return { found, accounts, members };
}

function selectMatching(ctx: Context, program: ProgramRef, request: MatchingRequest) {
	const { before, partnerIds } = request;
	return ctx.db
		.select(selectedColumns)
		.from(commissions)
		.where(
			and(
				eq(commissions.programId, program.id),
				// Written like the index commissions_unpaid.
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

function selectMembers(ctx: Context, program: ProgramRef, partnerIds: readonly number[] | undefined) {
	return ctx.db
		.select({
			partnerProgramId: partnerPrograms.id,
			partner: {
				id: partners.id,
				name: partners.name,
				status: partnerPrograms.status,
				/** Null without payout details. */
				payoutMethod: payoutDetails.method,
			},
		})
		.from(partnerPrograms)
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(payoutDetails, eq(payoutDetails.partnerId, partners.id))
		.where(
			and(
				eq(partnerPrograms.programId, program.id),
				partnerIds === undefined
					? undefined
					: sql`${partnerPrograms.partnerId} IN (SELECT value FROM json_each(${JSON.stringify(partnerIds)}))`,
			),
		);
}
