import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import type { PaymentIds } from '../domain/processor-event.ts';
import { type Along, decideAlong, writeAlong } from '../inbox/along.ts';
import { type FoundPayment, foundPaymentOf, selectKnownIds, selectPaymentSales } from './find-payment.ts';
import { insertAliases } from '../sales/sale-id.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { type PaymentNews, planSettlement } from './plan-settlement.ts';
import { updateSale } from '../refunds/write-movement.ts';

/**
 * Makes the ids of one payment lead to its sale, whose id is returned; undefined where no sale of the program is known by any
 * of them. Two sales that turn out to be one payment become one: see planSettlement. One read and one write batch, none where
 * all of it was known and nothing goes along. Ids that another program's sales have used are left to them.
 */
export async function linkPayment(
	ctx: Context,
	programId: number,
	isTest: boolean,
	ids: PaymentIds,
	along?: Along<number>,
): Promise<number | undefined> {
	const opId = crypto.randomUUID();
	return decideAlong(along, async () => {
		const found = foundPaymentOf(
			ids,
			await read(ctx.db, {
				known: selectKnownIds(ctx, ids.paymentIds, isTest),
				sales: selectPaymentSales(ctx, programId, ids.paymentIds, isTest),
			}),
		);
		if (!found) return undefined;
		const { id } = found.sale;
		await attach(ctx, isTest, found, { charged: undefined, reversal: undefined, reason: undefined }, opId, along, id);
		return id;
	});
}

/** Writes what is new of a payment whose sale is known. Of a test sale only the ids: nothing else of it ever moves. */
export async function attach<Receipt>(
	ctx: Context,
	isTest: boolean,
	found: FoundPayment,
	news: PaymentNews,
	opId: string,
	along: Along<Receipt> | undefined,
	receipt: Receipt,
): Promise<void> {
	if (isTest) {
		const { sale, newIds, invoiceId } = found;
		const writes = [
			...(invoiceId === sale.invoiceId ? [] : [updateSale(ctx, sale, { invoiceId })]),
			...(newIds.length > 0 ? [insertAliases(ctx, sale.id, true, newIds)] : []),
		];
		await writeAlong(ctx.db, writes, along, receipt);
		return;
	}
	const { writes, effects } = planSettlement(ctx, found, news, opId);
	await writeAlong(ctx.db, writes, along, receipt);
	sendEffects(ctx, effects);
}
