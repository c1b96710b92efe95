import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { retryOnConflict, read, write } from '../db/client.ts';
import { affiliateSaleEvents, refundEvents } from '../db/schema/sales.ts';
import { dayOf } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import type { Refund, Sale } from '../domain/commissions/sale.ts';
import { programIdOfKey, selectProgramByKey } from '../programs/program-key.ts';
import { saleIdBy } from '../ledger/sale-id.ts';
import { selectRecorded } from '../sales/find-sale.ts';
import { sendResumed, resumeBySale } from '../inbox/resume-events.ts';
import { insertTestSale } from '../sales/write-sale.ts';

/** Needs no id, amount or customer. */
export interface TestSale extends Omit<Sale, 'transactionId' | 'amountCents'> {
	readonly transactionId: string | undefined;
	readonly amountCents: number | undefined;
}

export interface TestReceipt {
	readonly eventId: number;
	readonly programId: number;
}

/** Records a flagged sale without side effects (contract, 4.3; decision 12). Like a real id, a test id is accepted only once. */
export async function recordTestSale(ctx: Context, keyHash: string, sale: TestSale): Promise<TestReceipt> {
	const opId = crypto.randomUUID();
	return retryOnConflict(async (attempt) => {
		const transactionId = sale.transactionId ?? `test_txn_${ctx.now}${String(attempt + Math.floor(Math.random() * 1000)).padStart(4, '0')}`;
		const found = await read(ctx.db, {
			program: selectProgramByKey(ctx, keyHash),
			own: attempt > 1 ? selectOwn(ctx, affiliateSaleEvents, opId) : undefined,
			recorded: selectRecorded(ctx, programIdOfKey(keyHash), transactionId, true),
		});
		const [program] = found.program;
		if (!program) throw new Rejection('program_key_unknown');
		const [own] = found.own;
		if (own) return { eventId: own.id, programId: program.id };
		if (found.recorded.length > 0 && sale.transactionId !== undefined) {
			throw new Rejection(
				'transaction_already_recorded',
				{},
				{ message: 'The test sale is already recorded. Use another transaction_id.', statusCode: 409 },
			);
		}
		const tested = { ...sale, transactionId, amountCents: sale.amountCents ?? 0, chargedCents: null, invoiceId: null };
		const insert = insertTestSale(ctx, program, tested, opId).returning({ id: affiliateSaleEvents.id });
		const { stored, resumed } = await write(ctx.db, [], { stored: insert, resumed: resumeBySale(ctx, program.id, tested) });
		const [row] = stored;
		if (!row) throw new Error('The test sale was not stored');
		ctx.defer(sendResumed(ctx, resumed));
		return { eventId: row.id, programId: program.id };
	});
}

/** Records a flagged refund of a test sale without side effects (decision 18). Rejects with 404 if there is no such test sale. */
export async function recordTestRefund(ctx: Context, keyHash: string, refund: Refund): Promise<TestReceipt> {
	const opId = crypto.randomUUID();
	return retryOnConflict(async (attempt) => {
		const found = await read(ctx.db, {
			program: selectProgramByKey(ctx, keyHash),
			own: attempt > 1 ? selectOwn(ctx, refundEvents, opId) : undefined,
			sale: selectTestSale(ctx, keyHash, refund.transactionId),
		});
		const [program] = found.program;
		if (!program) throw new Rejection('program_key_unknown');
		const [own] = found.own;
		if (own) return { eventId: own.id, programId: program.id };
		const [sale] = found.sale;
		if (!sale) throw new Rejection('sale_not_found');
		const insert = ctx.db
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
				opId,
			})
			.returning({ id: refundEvents.id });
		const { refunds } = await write(ctx.db, [], { refunds: insert });
		const [row] = refunds;
		if (!row) throw new Error('The test refund was not stored');
		return { eventId: row.id, programId: program.id };
	});
}

/** The row of this request, if its commit succeeded but the response was lost. */
function selectOwn(ctx: Context, events: typeof affiliateSaleEvents | typeof refundEvents, opId: string) {
	return ctx.db
		.select({ id: events.id })
		.from(events)
		.where(and(eq(events.opId, opId), sql`${events.isTest} = 1`));
}

function selectTestSale(ctx: Context, keyHash: string, transactionId: string) {
	const programId = programIdOfKey(keyHash);
	return ctx.db
		.select({ id: affiliateSaleEvents.id, amountCents: affiliateSaleEvents.amountCents })
		.from(affiliateSaleEvents)
		.where(and(eq(affiliateSaleEvents.id, saleIdBy(transactionId, programId, true)), eq(affiliateSaleEvents.programId, programId)));
}
