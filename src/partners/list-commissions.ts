import { and, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { commissionRules, commissionRuleVersions } from '../db/schema/commission-rules.ts';
import { commissions } from '../db/schema/money.ts';
import { partnerPrograms, partners } from '../db/schema/partners.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { stateReasonOf } from '../domain/commission-state.ts';
import type { Moment } from '../domain/moment.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import type { CommissionStatus } from '../domain/reversal.ts';

export interface CommissionFilter extends PageRequest {
	readonly status: CommissionStatus | undefined;
	readonly partnerId: number | undefined;
	/** Both ends belong to the range. */
	readonly from: Moment | undefined;
	readonly to: Moment | undefined;
}

const Refunds = z.array(
	z.object({
		id: z.number(),
		refundId: z.nullable(z.string()),
		amountCents: z.number(),
		deductionCents: z.nullable(z.number()),
		outcome: z.string(),
		source: z.string(),
		reason: z.nullable(z.string()),
		createdAt: z.number(),
	}),
);

/** What was reinstated is negative, so that they add up. */
const refundsOfSale = sql<z.infer<typeof Refunds>>`(
	SELECT json_group_array(json_object('id', id, 'refundId', refund_id, 'amountCents', sign * amount_cents, 'deductionCents', sign * deduction_cents,
		'outcome', outcome, 'source', source, 'reason', reason, 'createdAt', created_at) ORDER BY id)
	FROM (SELECT *, iif(outcome = 'reinstated', -1, 1) AS sign FROM refund_events WHERE sale_id = ${commissions.saleId} AND is_test = 0)
)`.mapWith((json: string) => Refunds.parse(JSON.parse(json)));

export type ListedCommission = Awaited<ReturnType<typeof selectCommissions>>[number] & {
	/** Why it is in its state, in plain words. */
	readonly stateReason: string;
};

/** The commissions of a program with sale, rule and refunds, newest first. One trip. */
export async function listCommissions(
	ctx: Context,
	program: { readonly id: number },
	filter: CommissionFilter,
): Promise<Page<ListedCommission>> {
	const rows = await selectCommissions(ctx, program.id, filter);
	return pageOf(
		rows.map((row) => ({ ...row, stateReason: stateReasonOf(row, ctx.now) })),
		filter.limit,
	);
}

function selectCommissions(ctx: Context, programId: number, filter: CommissionFilter) {
	return (
		ctx.db
			.select({
				id: commissions.id,
				status: commissions.status,
				amountCents: commissions.amountCents,
				deductedCents: commissions.deductedCents,
				statusBeforeRefund: commissions.statusBeforeRefund,
				currency: commissions.currency,
				partner: { id: partners.id, name: partners.name },
				sale: {
					id: affiliateSaleEvents.id,
					transactionId: affiliateSaleEvents.transactionId,
					amountCents: affiliateSaleEvents.amountCents,
					refundedCents: affiliateSaleEvents.refundedCents,
					createdAt: affiliateSaleEvents.createdAt,
				},
				rule: {
					id: commissionRules.id,
					version: commissionRuleVersions.version,
					type: commissionRuleVersions.type,
					basisPoints: commissionRuleVersions.basisPoints,
					amountCents: commissionRuleVersions.amountCents,
				},
				refunds: refundsOfSale,
				holdUntil: commissions.holdUntil,
				paidAt: commissions.paidAt,
				payoutId: commissions.payoutId,
				refundReason: commissions.refundReason,
				rejectionReason: commissions.rejectionReason,
				createdAt: commissions.createdAt,
			})
			.from(commissions)
			.innerJoin(partnerPrograms, eq(partnerPrograms.id, commissions.partnerProgramId))
			.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
			.innerJoin(affiliateSaleEvents, eq(affiliateSaleEvents.id, commissions.saleId))
			.innerJoin(commissionRuleVersions, eq(commissionRuleVersions.id, commissions.ruleVersionId))
			.innerJoin(commissionRules, eq(commissionRules.id, commissionRuleVersions.ruleId))
			.where(and(eq(commissions.programId, programId), ...conditionsOf(filter)))
			// By day first, as the index is: ids grow with the days.
			.orderBy(desc(commissions.createdDay), desc(commissions.id))
			.limit(filter.limit + 1)
	);
}

function conditionsOf({ status, partnerId, from, to, cursor }: CommissionFilter): (SQL | undefined)[] {
	return [
		status === undefined ? undefined : eq(commissions.status, status),
		partnerId === undefined ? undefined : eq(partnerPrograms.partnerId, partnerId),
		from?.kind === 'day' ? gte(commissions.createdDay, from.day) : undefined,
		from?.kind === 'instant' ? gte(commissions.createdAt, from.at) : undefined,
		to?.kind === 'day' ? lte(commissions.createdDay, to.day) : undefined,
		to?.kind === 'instant' ? lte(commissions.createdAt, to.at) : undefined,
		cursor === undefined ? undefined : behind(cursor),
	];
}

/** What comes after a commission in the list. */
function behind(cursor: number): SQL {
	const day = sql`(SELECT created_day FROM commissions WHERE id = ${cursor})`;
	return sql`${commissions.createdDay} <= coalesce(${day}, '9999') AND (${commissions.createdDay} < ${day} OR ${commissions.id} < ${cursor})`;
}
