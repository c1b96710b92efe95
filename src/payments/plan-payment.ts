import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { hashesOfNewIds } from '../customers/erased-ids.ts';
import { isSamePayment } from '../domain/commissions/repeated-sale.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import { decideSale } from '../domain/commissions/sale-decision.ts';
import { moneyText } from '../domain/money.ts';
import { mayStillCome } from '../domain/processors/inbox-schedule.ts';
import type { PaymentFact } from '../domain/processors/processor-event.ts';
import { COMMISSION_TO_BE, type PaymentDraft, SALE_TO_BE } from '../domain/processors/processor-outcome.ts';
import { notFound } from '../domain/rejection.ts';
import { insertAliases, nameOf, saleIdOf } from '../ledger/sale-id.ts';
import { knownOfSale, refusalOf } from '../sales/find-sale.ts';
import type { Plan } from '../sales/plan.ts';
import { planSale, type SalePlan } from '../sales/plan-sale.ts';
import { alreadyRecorded } from '../sales/record-sale.ts';
import { insertTestSale } from '../sales/write-sale.ts';
import type { ProgramScope } from './find-payment.ts';
import { planNews } from './plan-settlement.ts';
import { isNobody, type Payment, type PaymentEvidence, readPayment, readTestPayment } from './read-payment.ts';

/**
 * The payer is unknown (`organic`: no later event can name one), or the payment arrived before the first payment of its subscription, or
 * before its checkout.
 */
export type NoSaleYet = 'of_nobody' | 'organic' | 'ahead_of_first' | 'ahead_of_checkout';

type RealEvidence = Awaited<ReturnType<typeof readPayment>>;

/**
 * Plans a payment's sale like recordSale, only once for all its ids; if the sale exists, plans what it lacks. The payment must be inside
 * the attribution window. `opId` lets a retry find its own sale. Rejects like recordSale.
 */
export async function planPayment(
	ctx: Context,
	scope: ProgramScope,
	payment: Payment,
	opId: string,
): Promise<Plan<PaymentDraft> | NoSaleYet> {
	const evidence = scope.isTest ? await readTestPayment(ctx, scope, payment) : await readPayment(ctx, scope, payment);
	const known = planKnown(ctx, scope, evidence, { fact: payment.fact, opId });
	if (known) return known;
	return evidence.found ? planRealSale(ctx, payment, evidence, opId) : planTestSale(ctx, payment, evidence, opId);
}

/** Rejects if another program has the sale, or if the transaction_id belongs to another invoice's payment. */
function planKnown(
	ctx: Context,
	scope: ProgramScope,
	{ recorded, knownIds }: PaymentEvidence,
	{ fact, opId }: { readonly fact: PaymentFact; readonly opId: string },
): Plan<PaymentDraft> | undefined {
	if (!recorded && knownIds.some(({ programId }) => programId !== scope.programId)) throw alreadyRecorded(true);
	if (!recorded && knownIds.some(({ paymentId }) => paymentId === fact.sale.transactionId)) throw alreadyRecorded(false);
	if (!recorded) return undefined;
	const { sale } = recorded;
	const { chargedCents } = fact;
	const { amountCents, currency } = fact.sale;
	const outcome = {
		saleId: sale.id,
		transactionId: sale.transactionId,
		commissionId: sale.commission?.id ?? null,
		reason: sale.noCommissionReason,
		isNew: knownIds.some((id) => id.opId === opId),
		otherAmount: isSamePayment(sale, { ...fact.sale, chargedCents })
			? undefined
			: { recorded: moneyText(sale.amountCents, sale.currency), reported: moneyText(amountCents, currency) },
	};
	const charged = { cents: chargedCents, currency };
	return { outcome, ...planNews(ctx, scope, recorded, { charged, reversal: undefined, reason: undefined, opId }) };
}

async function planRealSale(ctx: Context, payment: Payment, evidence: RealEvidence, opId: string): Promise<Plan<PaymentDraft> | NoSaleYet> {
	const { program, fact, sale, aliases, found, hasPayer, isOrganic } = evidence;
	if (!program) throw notFound('Program');
	// A coupon alone can attribute a first payment; a renewal belongs to the first buyer (decision 33).
	const isByCoupon = found.coupon[0]?.status === 'active' && !fact.sale.isRecurring && (isOrganic || !payment.awaitsFirstSale);
	if (!hasPayer && !isByCoupon) return isOrganic ? 'organic' : 'of_nobody';

	const { paidAt, chargedCents, invoiceId = null, couponIds = [], attribution } = fact;
	const hasCoupon = attribution.couponCode !== undefined || couponIds.length > 0;
	const soldAt = { now: ctx.now, paidAt: fact.paidAt, carriesKeys: !isNobody(attribution) };
	const decision = decideSale(program, sale, await knownOfSale(ctx, found, { hasCoupon, paidAt }), soldAt);
	if (decision.kind !== 'sold') throw await refusalOf(ctx, program, decision);
	if (payment.awaitsFirstSale && isAheadOfFirstSale(ctx, fact, found)) return 'ahead_of_first';
	if (isAheadOfCheckout(payment, evidence)) return 'ahead_of_checkout';

	const newIdHashes = await hashesOfNewIds(ctx, decision.identity);
	return planDraft(sale, planSale(ctx, { program, sale, decision, chargedCents, invoiceId, aliases, newIdHashes, opId }));
}

/** A trial is not a sale, so the first payment after it is a renewal that need not wait. */
function isAheadOfFirstSale({ now }: Context, { sale, paidAt }: PaymentFact, { earlier, subscription }: RealEvidence['found']): boolean {
	if (!sale.isRecurring || sale.subscriptionId === undefined || earlier.length > 0) return false;
	const [known] = subscription;
	if (!known) return true;
	// A beginning no earlier than this payment comes from the payment itself, and only proves that the subscription exists.
	const beganAt = known.beganAt !== null && known.beganAt < paidAt ? known.beganAt : now;
	return known.trialBeganAt === null && mayStillCome(beganAt, now);
}

function isAheadOfCheckout({ fact, awaitsCheckout }: Payment, { hasBill }: PaymentEvidence): boolean {
	return awaitsCheckout && fact.awaitsCheckout === true && !hasBill;
}

function planDraft(sale: Sale, { outcome, writes, recorded, effects, owing }: SalePlan): Plan<PaymentDraft> {
	const isEarning = outcome.state === 'made';
	const saleId = saleIdOf(nameOf(sale), false);
	return {
		outcome: {
			saleId: SALE_TO_BE,
			commissionId: isEarning ? COMMISSION_TO_BE : null,
			reason: outcome.state === 'none' ? outcome.reason : null,
			isNew: true,
		},
		writes: [...writes, recorded],
		effects,
		made: { saleId, commissionId: isEarning ? sql`(SELECT id FROM commissions WHERE sale_id = ${saleId})` : null },
		owing: owing && ((fault) => planDraft(sale, owing(fault))),
	};
}

/** A test sale changes no metric and earns no commission. */
function planTestSale(ctx: Context, payment: Payment, evidence: PaymentEvidence, opId: string): Plan<PaymentDraft> | NoSaleYet {
	const { program, fact, sale, aliases, hasPayer, isOrganic } = evidence;
	if (!hasPayer) return isOrganic ? 'organic' : 'of_nobody';
	if (isAheadOfCheckout(payment, evidence)) return 'ahead_of_checkout';
	if (!program) throw notFound('Program');

	const { chargedCents, invoiceId = null } = fact;
	const saleId = saleIdOf(nameOf(sale), true);
	const writes = [
		insertTestSale(ctx, program, { ...sale, chargedCents, invoiceId }, opId),
		...(aliases.length > 0 ? [insertAliases(ctx, saleId, true, aliases)] : []),
	];
	const outcome = { saleId: SALE_TO_BE, commissionId: null, reason: 'test_mode', isNew: true } as const;
	return { outcome, writes, effects: [], made: { saleId, commissionId: null } };
}
