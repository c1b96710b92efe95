import { eq, and } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { decideUntilSettled, readTogether } from '../db/client.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/tracking.ts';
import { dayOf } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import { programIdOfKey, selectProgramByKey } from '../programs/program-key.ts';
import { selectRecorded } from './find-sale.ts';
import type { Refund, Sale } from '../domain/sale.ts';

/** A sale in test mode: id and amount may be left out, and nobody needs to have bought. */
export interface TestSale extends Omit<Sale, 'transactionId' | 'amountCents'> {
	readonly transactionId: string | undefined;
	readonly amountCents: number | undefined;
}

export interface TestReceipt {
	readonly eventId: number;
	readonly programId: number;
}

/** Writes a flagged test sale that moves nothing (contract, 4.3; decision 12). A test id is taken once, like a real one. */
export async function recordTestSale(ctx: Context, keyHash: string, sale: TestSale): Promise<TestReceipt> {
	const opId = crypto.randomUUID();
	return decideUntilSettled(async (attempt) => {
		const transactionId = sale.transactionId ?? `test_txn_${ctx.now}${String(attempt + Math.floor(Math.random() * 1000)).padStart(4, '0')}`;
		const found = await readTogether(ctx.db, {
			program: selectProgramByKey(ctx, keyHash),
			recorded: selectRecorded(ctx, transactionId, true),
		});
		const [program] = found.program;
		if (!program) throw new Rejection('program_key_unknown');
		const [recorded] = found.recorded;
		if (recorded?.opId === opId) return { eventId: recorded.saleId, programId: program.id };
		if (recorded && sale.transactionId !== undefined) {
			throw new Rejection(
				'transaction_already_recorded',
				{},
				{ message: 'The test sale is recorded. Use another transaction_id.', statusCode: 409 },
			);
		}
		const [row] = await ctx.db
			.insert(affiliateSaleEvents)
			.values({
				programId: program.id,
				processorEventId: transactionId,
				isTest: true,
				amountCents: sale.amountCents ?? 0,
				currency: sale.currency ?? program.currency,
				saleType: sale.saleType,
				isRecurring: sale.isRecurring,
				subscriptionId: sale.subscriptionId ?? null,
				subscriptionInterval: sale.subscriptionInterval ?? null,
				productId: sale.productId ?? null,
				lineItems: sale.lineItems ?? null,
				insideWindow: false,
				commissionState: 'none',
				noCommissionReason: 'test_mode',
				createdAt: ctx.now,
				saleDay: dayOf(ctx.now, program.timeZone),
				opId,
			})
			.returning({ id: affiliateSaleEvents.id });
		if (!row) throw new Error('The test sale was not stored');
		return { eventId: row.id, programId: program.id };
	});
}

/** Writes a flagged refund of a test sale that moves nothing (decision 18). Rejects with 404 where there is no such test sale. */
export async function recordTestRefund(ctx: Context, keyHash: string, refund: Refund): Promise<TestReceipt> {
	const found = await readTogether(ctx.db, {
		program: selectProgramByKey(ctx, keyHash),
		sale: ctx.db
			.select({ id: affiliateSaleEvents.id, amountCents: affiliateSaleEvents.amountCents })
			.from(affiliateSaleEvents)
			.where(
				and(
					eq(affiliateSaleEvents.processorEventId, refund.transactionId),
					eq(affiliateSaleEvents.isTest, true),
					eq(affiliateSaleEvents.programId, programIdOfKey(keyHash)),
				),
			),
	});
	const [program] = found.program;
	if (!program) throw new Rejection('program_key_unknown');
	const [sale] = found.sale;
	if (!sale) throw new Rejection('sale_not_found');
	const [row] = await ctx.db
		.insert(refundEvents)
		.values({
			programId: program.id,
			saleId: sale.id,
			refundId: refund.refundId ?? null,
			isTest: true,
			amountCents: Math.min(refund.amountCents ?? sale.amountCents, sale.amountCents),
			deductionCents: null,
			outcome: 'test',
			reason: refund.reason ?? null,
			createdAt: ctx.now,
			refundDay: dayOf(ctx.now, program.timeZone),
			opId: crypto.randomUUID(),
		})
		.returning({ id: refundEvents.id });
	if (!row) throw new Error('The test refund was not stored');
	return { eventId: row.id, programId: program.id };
}
