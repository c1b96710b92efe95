import { and, eq, sql, type SQL } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { partnerProgramBalances, partnerPrograms } from '../db/schema/partners.ts';
import { type Balance, balanceOf } from '../domain/payouts/payout.ts';

// Partner balances, and the rest of unpaid commissions.

/** Whether commission `c` may still be paid. Must match the index commissions_unpaid literally. */
export const IS_UNPAID: SQL = sql`c.paid_at IS NULL AND c.status IN ('pending', 'approved', 'refunded')`;

function restsOfAccount(condition: SQL): SQL<number> {
	return sql`coalesce((
		SELECT sum(c.amount_cents - c.deducted_cents) FROM commissions c
		WHERE c.program_id = ${partnerPrograms.programId} AND c.partner_program_id = ${partnerProgramBalances.partnerProgramId}
			AND c.currency = ${partnerProgramBalances.currency} AND ${condition}
	), 0)`;
}

/** A statement for a batch. All partners if `partnerIds` is undefined. */
export function selectAccounts(ctx: Context, programId: number, partnerIds: readonly number[] | undefined) {
	return ctx.db
		.select({
			partnerProgramId: partnerProgramBalances.partnerProgramId,
			currency: partnerProgramBalances.currency,
			balanceCents: partnerProgramBalances.balanceCents,
			unpaidCents: restsOfAccount(IS_UNPAID),
		})
		.from(partnerProgramBalances)
		.innerJoin(partnerPrograms, eq(partnerPrograms.id, partnerProgramBalances.partnerProgramId))
		.where(
			and(
				eq(partnerPrograms.programId, programId),
				partnerIds === undefined
					? undefined
					: sql`${partnerPrograms.partnerId} IN (SELECT value FROM json_each(${JSON.stringify(partnerIds)}))`,
			),
		);
}

const Balances = z.record(z.string(), z.object({ balanceCents: z.number(), pendingCents: z.number() }));

/** Balances by currency. Whatever domain/payouts/payout.ts would not pay yet is on hold. */
export function balancesOfPartner(now: number): SQL<Readonly<Record<string, Balance>>> {
	const isOnHold = sql`${IS_UNPAID}
		AND (c.status = 'pending' OR (c.status = 'refunded' AND c.status_before_refund = 'pending' AND c.hold_until > ${now}))`;
	return sql`(
		SELECT json_group_object(${partnerProgramBalances.currency},
			json_object('balanceCents', ${partnerProgramBalances.balanceCents}, 'pendingCents', ${restsOfAccount(isOnHold)}))
		FROM ${partnerProgramBalances} WHERE ${partnerProgramBalances.partnerProgramId} = ${partnerPrograms.id}
	)`.mapWith((json: string) =>
		Object.fromEntries(
			Object.entries(Balances.parse(JSON.parse(json))).map(([currency, { balanceCents, pendingCents }]) => [
				currency,
				balanceOf(balanceCents, pendingCents),
			]),
		),
	);
}
