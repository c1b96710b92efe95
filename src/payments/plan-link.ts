import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import type { PaymentIds } from '../domain/processors/processor-event.ts';
import { selectUnsold } from './find-payer.ts';
import { type Books, foundPaymentOf, readsByIds } from './find-payment.ts';
import { planNews } from './plan-settlement.ts';
import type { Plan } from '../sales/plan.ts';

/**
 * Plans that the ids of one payment lead to its sale; `unsold` or undefined where no sale of the program is known by any of them. Two sales that
 * turn out to be one payment become one: see planSettlement. One read; nothing is to be written where all of it was known. Ids that
 * another program's sales have used are left to them.
 */
export async function planLink(
	ctx: Context,
	books: Books,
	ids: PaymentIds,
): Promise<Plan<{ readonly saleId: number }> | 'unsold' | undefined> {
	const rows = await read(ctx.db, { ...readsByIds(ctx, books, ids.paymentIds), unsold: selectUnsold(ctx, books, ids.paymentIds) });
	const found = foundPaymentOf(ids, rows);
	if (!found) return ids.isOrganic === true || rows.unsold.length > 0 ? 'unsold' : undefined;
	const news = { charged: undefined, reversal: undefined, reason: undefined };
	return { outcome: { saleId: found.sale.id }, ...planNews(ctx, books, found, { ...news, opId: crypto.randomUUID() }) };
}
