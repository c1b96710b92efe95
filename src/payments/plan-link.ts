import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import type { PaymentIds } from '../domain/processors/processor-event.ts';
import { type ProgramScope, foundPaymentOf, readsByIds, selectUnsold } from './find-payment.ts';
import { planNews } from './plan-settlement.ts';
import type { Plan } from '../sales/plan.ts';

/**
 * Links all ids of a payment to its sale, and merges two sales that prove to be one payment (planSettlement). `unsold` if the payment has
 * no sale; undefined if none is known yet. Ids of another program's sales do not change.
 */
export async function planLink(
	ctx: Context,
	scope: ProgramScope,
	ids: PaymentIds,
): Promise<Plan<{ readonly saleId: number }> | 'unsold' | undefined> {
	const rows = await read(ctx.db, { ...readsByIds(ctx, scope, ids.paymentIds), unsold: selectUnsold(ctx, scope, ids.paymentIds) });
	const found = foundPaymentOf(ids, rows);
	if (!found) return ids.isOrganic === true || rows.unsold.length > 0 ? 'unsold' : undefined;
	const news = { charged: undefined, reversal: undefined, reason: undefined };
	return { outcome: { saleId: found.sale.id }, ...planNews(ctx, scope, found, { ...news, opId: crypto.randomUUID() }) };
}
