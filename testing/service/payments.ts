import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { withoutErased } from '../../src/customers/erased-ids.ts';
import { retryOnConflict, write } from '../../src/db/client.ts';
import { COMMISSION_TO_BE, type PaymentDraft, type ReversalReceipt, SALE_TO_BE } from '../../src/domain/processors/processor-outcome.ts';
import type { PaymentFact, PaymentIds, ReversalFact } from '../../src/domain/processors/processor-event.ts';
import { Rejection } from '../../src/domain/rejection.ts';
import { sendEffects } from '../../src/outbox/outbox.ts';
import { planLink } from '../../src/payments/plan-link.ts';
import { planPayment } from '../../src/payments/plan-payment.ts';
import { planReversal } from '../../src/payments/plan-reversal.ts';
import type { Payer } from '../../src/payments/read-payment.ts';
import { commitPlan, type Plan } from '../../src/sales/plan.ts';
import type { SaleReceipt } from '../../src/sales/plan-sale.ts';

// Records a processor's facts about a payment as processEvent does, without an inbox event.

export type { ReversalReceipt };

export interface PaymentReceipt extends SaleReceipt {
	readonly isNew: boolean;
}

/** The caller provides the payer. */
export interface Payment extends Payer {
	readonly fact: PaymentFact;
	readonly isTest: boolean;
}

export async function recordPayment(ctx: Context, programId: number, payment: Payment, opId: string): Promise<PaymentReceipt> {
	const { isTest, clickId, customerKey } = payment;
	// A test payment only needs any payer.
	const payer = isTest ? { clickId, customerKey: customerKey ?? 'somebody' } : { clickId, customerKey };
	const fact = { ...payment.fact, attribution: { ...payment.fact.attribution, ...payer } };
	const record = async () => {
		const plan = await planPayment(
			ctx,
			{ programId, isTest, idScope: 0 },
			{ fact, processor: 'stripe', followsFirstSale: false, awaitsFirstSale: false, awaitsCheckout: false },
			opId,
		);
		if (plan === 'of_nobody' || plan === 'organic') throw new Rejection('sale_customer_not_found');
		if (plan === 'ahead_of_first' || plan === 'ahead_of_checkout') throw new Error('The payment was parked, though it should not be');
		return commitPlan(plan, (planned) => writePayment(ctx, planned));
	};
	// process-event.ts makes this check earlier. This second one finds a payment that was committed before its payer was erased.
	return withoutErased('sale_customer_not_found', undefined, () => retryOnConflict(record));
}

async function writePayment(ctx: Context, { outcome, writes, effects, made }: Plan<PaymentDraft>): Promise<PaymentReceipt> {
	const ids =
		made &&
		ctx.db.all<Pick<SaleReceipt, 'saleId' | 'commissionId'>>(sql`SELECT ${made.saleId} AS saleId, ${made.commissionId} AS commissionId`);
	const { stored } = await write(ctx.db, writes, { stored: ids });
	sendEffects(ctx, effects);
	const { saleId, commissionId } = stored[0] ?? outcome;
	if (saleId === SALE_TO_BE || commissionId === COMMISSION_TO_BE) throw new Error('The sale has no id');
	const { transactionId: _resumes, ...receipt } = outcome;
	return { ...receipt, saleId, commissionId };
}

export async function recordReversal(
	ctx: Context,
	programId: number,
	isTest: boolean,
	fact: ReversalFact,
	opId: string,
): Promise<ReversalReceipt | undefined> {
	return carryOut(ctx, async () => {
		const plan = await planReversal(ctx, { programId, isTest, idScope: 0 }, fact, opId);
		return typeof plan === 'object' && 'chargedIn' in plan ? undefined : plan;
	});
}

/** Returns the id of the ids' sale. */
export async function linkPayment(ctx: Context, programId: number, isTest: boolean, ids: PaymentIds): Promise<number | undefined> {
	const linked = await carryOut(ctx, () => planLink(ctx, { programId, isTest, idScope: 0 }, ids));
	return linked?.saleId;
}

function carryOut<Outcome>(ctx: Context, decide: () => Promise<Plan<Outcome> | 'unsold' | undefined>): Promise<Outcome | undefined> {
	return retryOnConflict(async () => {
		const plan = await decide();
		if (!plan || plan === 'unsold') return undefined;
		await write(ctx.db, plan.writes);
		sendEffects(ctx, plan.effects);
		return plan.outcome;
	});
}
