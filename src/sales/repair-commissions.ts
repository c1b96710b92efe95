import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Context, describeFault } from '../context.ts';
import { isStale, type Statement, write } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { programs } from '../db/schema/programs.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { dayOf } from '../domain/calendar.ts';
import { deltasOfState } from '../domain/commissions/commission-sums.ts';
import { deltasOfLateCommission } from '../domain/reporting/metric-deltas.ts';
import { type CommissionStatus, deductionOf } from '../domain/refunds/reversal.ts';
import { creditCommission, deductFromCommission } from '../ledger/ledger.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { nameOf } from '../ledger/sale-id.ts';
import { insertCommissionOutbox } from './sale-outbox.ts';
import { insertCommission } from './write-sale.ts';

const Owed = z.object({
	kind: z.literal('earned'),
	ruleVersionId: z.number(),
	amountCents: z.number(),
	status: z.enum(['pending', 'approved']),
	holdUntil: z.number(),
});

/**
 * Creates commissions that failed earlier (decision 13), as decided at the time of the sale, minus later refunds. Returns how many. One
 * that fails again waits for the next tick.
 */
export async function repairCommissions(ctx: Context, limit: number): Promise<number> {
	let made = 0;
	for (const sale of await findOwed(ctx, limit)) {
		const opId = crypto.randomUUID();
		try {
			await write(ctx.db, repair(ctx, sale, opId));
			sendEffects(ctx, [[sale.programId, opId]]);
			made += 1;
		} catch (error) {
			// After a concurrent refund, the next tick reads the sale again.
			if (!isStale(error)) ctx.log({ level: 'error', event: 'commission_not_repaired', saleId: sale.id, ...describeFault(error) });
		}
	}
	return made;
}

type OwedSale = Awaited<ReturnType<typeof findOwed>>[number];

function findOwed(ctx: Context, limit: number) {
	return ctx.db
		.select({
			id: affiliateSaleEvents.id,
			transactionId: affiliateSaleEvents.transactionId,
			idScope: affiliateSaleEvents.idScope,
			revision: affiliateSaleEvents.revision,
			programId: affiliateSaleEvents.programId,
			partnerProgramId: sql<number>`${affiliateSaleEvents.partnerProgramId}`,
			amountCents: affiliateSaleEvents.amountCents,
			refundedCents: affiliateSaleEvents.refundedCents,
			currency: affiliateSaleEvents.currency,
			isDuplicate: sql`${affiliateSaleEvents.duplicateOfSaleId} IS NOT NULL`.mapWith(Boolean),
			timeZone: programs.timeZone,
			owed: sql<string>`${affiliateSaleEvents.owedCommission}`,
		})
		.from(affiliateSaleEvents)
		.innerJoin(programs, eq(programs.id, affiliateSaleEvents.programId))
		.where(and(eq(affiliateSaleEvents.commissionState, 'failed'), eq(affiliateSaleEvents.isTest, false)))
		.orderBy(affiliateSaleEvents.createdAt)
		.limit(limit);
}

function repair(ctx: Context, sale: OwedSale, opId: string): Statement[] {
	const owed = Owed.parse(JSON.parse(sale.owed));
	const day = dayOf(ctx.now, sale.timeZone);
	const { amountCents } = owed;
	const deductionCents = deductionOf({ amountCents, deductedCents: 0 }, sale.refundedCents, sale.amountCents);
	const moves = [
		...(sale.isDuplicate ? [] : deltasOfLateCommission(day, sale.currency, amountCents, deductionCents)),
		...deltasOfState({ ...sale, day }, undefined, { amountCents, deductedCents: deductionCents, status: statusAfter(sale, owed) }),
	];
	return [
		ctx.db
			.update(affiliateSaleEvents)
			.set({ commissionState: 'made', owedCommission: null, revision: sale.revision + 1 })
			.where(eq(affiliateSaleEvents.id, sale.id)),
		insertCommission(ctx, { ...sale, day }, owed),
		creditCommission(ctx, { ...nameOf(sale), opId }),
		...(sale.refundedCents > 0 ? reverseRefunded(ctx, sale, owed, { deductionCents, opId }) : []),
		insertCommissionOutbox(ctx, sale.id, opId, moves),
	];
}

function statusAfter({ refundedCents, amountCents }: OwedSale, owed: z.infer<typeof Owed>): CommissionStatus {
	if (refundedCents === 0) return owed.status;
	return refundedCents === amountCents ? 'reversed' : 'refunded';
}

/** Takes the last refund's reason. */
function reverseRefunded(
	ctx: Context,
	sale: OwedSale,
	owed: z.infer<typeof Owed>,
	{ deductionCents, opId }: { readonly deductionCents: number; readonly opId: string },
): Statement[] {
	return [
		ctx.db
			.update(commissions)
			.set({
				status: statusAfter(sale, owed),
				statusBeforeRefund: owed.status,
				deductedCents: deductionCents,
				refundReason: sql`(SELECT reason FROM refund_events WHERE sale_id = ${sale.id} AND outcome = 'no_commission' AND reason IS NOT NULL ORDER BY id DESC LIMIT 1)`,
				revision: 1,
			})
			.where(eq(commissions.saleId, sale.id)),
		deductFromCommission(ctx, { saleId: sale.id, deductionCents, opId }),
	];
}
