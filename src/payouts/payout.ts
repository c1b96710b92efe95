import { and, desc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { payouts } from '../db/schema/money.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { unindexed } from '../db/unindexed.ts';
import type { PayoutMethod } from '../domain/payouts/payout-details.ts';
import type { PayoutStatus } from '../domain/payouts/payout-state.ts';
import { membershipIdOf } from '../partners/membership-id.ts';

/** Amounts are in minor units of `currency`. */
export type Payout = Awaited<ReturnType<typeof selectPayouts>>[number];

export interface PayoutFilter {
	readonly operation?: string;
	readonly ids?: readonly number[];
	readonly status?: PayoutStatus | undefined;
	readonly partnerId?: number | undefined;
	readonly currency?: string | undefined;
	/** The current method; `none` means no payout details. */
	readonly method?: PayoutMethod | 'none' | undefined;
	readonly condition?: SQL | undefined;
	/** Otherwise the first 20. */
	readonly withAllIds?: boolean;
}

const Ids = z.array(z.number());

/** A payout pays up to 10,000 commissions, too many for a list of payouts. */
const LISTED_IDS = 20;
const ALL_IDS = -1;

function idsOfCommissions(most: number): SQL<readonly number[]> {
	return sql`(
		SELECT json_group_array(id) FROM (SELECT c.id FROM commissions c WHERE c.payout_id = payouts.id ORDER BY c.id LIMIT ${sql.raw(String(most))})
	)`.mapWith((json: string) => Ids.parse(JSON.parse(json)));
}

/** Older payouts have no stored count. */
export const commissionCount = sql<number>`coalesce(
	payouts.commission_count, (SELECT count(*) FROM commissions c WHERE c.payout_id = payouts.id))`;

export const payoutStatus: SQL<PayoutStatus> = sql`CASE
	WHEN ${payouts.failedAt} IS NOT NULL THEN 'failed'
	WHEN ${payouts.sentAt} IS NOT NULL THEN 'sent'
	WHEN ${payouts.amountCents} = 0 THEN 'settled'
	ELSE 'made' END`;

const methodOfPartner = sql`(
	SELECT d.method FROM partner_programs pp JOIN payout_details d ON d.partner_id = pp.partner_id WHERE pp.id = ${payouts.partnerProgramId})`;

/** Newest first. */
export function selectPayouts(ctx: Context, programId: number, only: PayoutFilter) {
	return ctx.db
		.select({
			id: payouts.id,
			status: payoutStatus,
			partnerId: partners.id,
			partnerName: partners.name,
			partnerEmail: partners.email,
			currency: payouts.currency,
			/** The amount to pay. */
			amountCents: payouts.amountCents,
			/** Deducted for an earlier debt. */
			recoveredCents: payouts.recoveredCents,
			/** The commissions after their deductions. */
			commissionCents: sql<number>`${payouts.dueCents} - ${payouts.surplusCents}`,
			/** amount + recovered = commissions + surplus. */
			surplusCents: payouts.surplusCents,
			commissionCount,
			commissionIds: idsOfCommissions(only.withAllIds === true ? ALL_IDS : LISTED_IDS),
			createdAt: payouts.createdAt,
			sentAt: payouts.sentAt,
			sentReference: payouts.sentReference,
			failedAt: payouts.failedAt,
			failureReason: payouts.failureReason,
		})
		.from(payouts)
		.innerJoin(partnerPrograms, eq(partnerPrograms.id, payouts.partnerProgramId))
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(
			and(
				isFoundOtherwise(only) ? unindexed(payouts.programId, programId) : eq(payouts.programId, programId),
				only.operation === undefined ? undefined : eq(payouts.opId, only.operation),
				only.ids === undefined ? undefined : sql`${payouts.id} IN (SELECT value FROM json_each(${JSON.stringify(only.ids)}))`,
				only.status === undefined ? undefined : isIn(only.status),
				filterOf(only),
				only.partnerId === undefined ? undefined : sql`${payouts.partnerProgramId} = ${membershipIdOf(programId, only.partnerId)}`,
				only.condition,
			),
		)
		.orderBy(desc(payouts.id));
}

function isFoundOtherwise({ operation, ids, partnerId }: PayoutFilter): boolean {
	return operation !== undefined || ids !== undefined || partnerId !== undefined;
}

/** Written like the indexes payouts_failed and payouts_unsent. */
export function isIn(status: PayoutStatus): SQL | undefined {
	if (status === 'failed') return isNotNull(payouts.failedAt);
	if (status === 'sent') return and(isNotNull(payouts.sentAt), isNull(payouts.failedAt));
	return and(
		isNull(payouts.sentAt),
		isNull(payouts.failedAt),
		status === 'settled' ? eq(payouts.amountCents, 0) : ne(payouts.amountCents, 0),
	);
}

/** No index covers these conditions. */
export function filterOf({ currency, method }: PayoutFilter): SQL | undefined {
	return and(
		currency === undefined ? undefined : eq(payouts.currency, currency),
		method === undefined ? undefined : sql`coalesce(${methodOfPartner}, 'none') = ${method}`,
	);
}
