import type { Context } from '../context.ts';
import { retryOnConflict, read, write } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import type { Identity, KnownCustomer } from '../domain/attribution/attribution.ts';
import { Fault } from '../domain/fault.ts';
import { Rejection } from '../domain/rejection.ts';
import { differencesOf, differenceText } from '../domain/commissions/repeated-sale.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import { decideSale } from '../domain/commissions/sale-decision.ts';
import { ASKING_PROGRAM, askingKey, noteKeyUse, selectProgramByKey } from '../programs/program-key.ts';
import { hashesOfNewIds, withoutErased } from '../customers/erased-ids.ts';
import { claimClickId, type ClaimedClickId } from '../customers/find-customer.ts';
import { type SaleQuery, saleQuery, knownOfSale, readsForSale, refusalOf, selectRecorded } from './find-sale.ts';
import { commitPlan } from './plan.ts';
import { planSale, type SalePlan, type SaleReceipt } from './plan-sale.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { sendResumed, resumeBySale } from '../inbox/resume-events.ts';

/**
 * Records a sale, makes its customer a `conversion` and credits the partner's commission (contract, 4.3; decisions 3, 4, 8, 11 to 13). One
 * read and one write batch. Rejects as section 7 lists; a refused sale stores nothing. If the commission cannot be created, the sale is
 * stored without it, the response is a fault, and repairCommissions creates it later.
 */
export async function recordSale(ctx: Context, keyHash: string, sale: Sale): Promise<SaleReceipt> {
	const opId = crypto.randomUUID();
	const claim = await claimClickId(ctx, sale.clickId, false);
	return withoutErased('sale_customer_not_found', claim, async (usable) =>
		retryOnConflict(async () => recordOnce(ctx, keyHash, sale, { claim: usable, opId })),
	);
}

interface Operation {
	readonly claim: ClaimedClickId | undefined;
	readonly opId: string;
}

async function recordOnce(ctx: Context, keyHash: string, sale: Sale, { claim, opId }: Operation): Promise<SaleReceipt> {
	const { program, recorded, found } = await readSale(ctx, keyHash, sale, claim);
	if (recorded && recorded.opId !== opId) throw repeatedSale(program, recorded, sale, found.click[0] && claim?.clickId);
	if (recorded) return receiptOf(recorded);

	const known = await knownOfSale(ctx, found, { hasCoupon: sale.couponCode !== undefined, paidAt: ctx.now });
	const decision = decideSale(program, sale, known, { now: ctx.now, paidAt: ctx.now, carriesKeys: false });
	if (decision.kind !== 'sold') throw await refusalOf(ctx, program, decision);
	const newIdHashes = await hashesOfNewIds(ctx, decision.identity, clickBeside(decision.identity, sale));
	const plan = planSale(ctx, { program, sale, decision, chargedCents: null, invoiceId: null, aliases: [], newIdHashes, opId });
	const stored = await commitPlan(plan, (planned) => writeSale(ctx, program, sale, planned));
	return receiptOf(stored);
}

/** The click of a customer whom only a coupon identifies. If the click was erased, so was the customer. */
function clickBeside(identity: Identity<KnownCustomer>, { clickId }: Sale): string | undefined {
	const isByCouponAlone = identity.kind === 'new' && identity.customerKey === undefined && identity.click?.couponId !== undefined;
	return isByCouponAlone ? clickId : undefined;
}

async function readSale(ctx: Context, keyHash: string, sale: Sale, claim: ClaimedClickId | undefined) {
	const found = await read(ctx.db, readForSale(ctx, { keyHash, transactionId: sale.transactionId, ...saleQuery(sale, claim) }));
	const [program] = found.program;
	if (!program) throw new Rejection('program_key_unknown');
	return { program, recorded: found.recorded[0], found };
}

type CallingProgram = Awaited<ReturnType<typeof readSale>>['program'];
type Recorded = NonNullable<Awaited<ReturnType<typeof readSale>>['recorded']>;

const readForSale = prepare(
	(ctx, params: Placeholders<SaleQuery & { keyHash: string; transactionId: string }>) => ({
		program: selectProgramByKey(ctx, params.keyHash),
		recorded: selectRecorded(ctx, ASKING_PROGRAM, params.transactionId, false),
		...readsForSale(ctx, ASKING_PROGRAM, params),
	}),
	askingKey,
);

/** 409 for a repeated sale, with its differences from the recorded one (decision 54). */
function repeatedSale(program: CallingProgram, recorded: Recorded, sale: Sale, clickId: string | undefined): Rejection {
	if (recorded.programId !== program.id) return alreadyRecorded(true);
	const { buyerId, buyerKey, buyerClickId } = recorded;
	const known = { ...recorded, buyer: buyerId === null ? undefined : { customerKey: buyerKey, clickId: buyerClickId } };
	const { amountCents, currency = program.currency, customerKey } = sale;
	const again = { amountCents, currency, customerKey, clickId };
	const differs = differencesOf(known, again);
	if (differs.length === 0) return alreadyRecorded(false);
	const message = differenceText(known, again, differs);
	return new Rejection('transaction_recorded_differently', {}, { message, statusCode: 409, differs });
}

/** 409 for a sale whose id is already used (contract, section 7; decision 11b). */
export function alreadyRecorded(byAnotherProgram: boolean): Rejection {
	const message = byAnotherProgram
		? 'Another program has used this transaction_id. Ids are unique across all programs, so add your own prefix to them.'
		: 'The sale is recorded. Do not send it again.';
	return new Rejection(
		byAnotherProgram ? 'transaction_recorded_elsewhere' : 'transaction_already_recorded',
		{},
		{ message, statusCode: 409 },
	);
}

interface StoredSale extends SaleReceipt {
	/** Whether its commission could not be created. */
	readonly isOwed: boolean;
}

/** Also resumes the events that wait for the sale. */
async function writeSale(ctx: Context, program: CallingProgram, sale: Sale, plan: SalePlan): Promise<StoredSale> {
	const { outcome, writes, recorded, effects } = plan;
	const resumed = resumeBySale(ctx, program.id, sale);
	const answer = await write(ctx.db, [...writes, ...noteKeyUse(ctx, program)], { resumed, recorded });
	const [ids] = answer.recorded;
	if (!ids) throw new Error('The sale was not stored');
	sendEffects(ctx, effects);
	ctx.defer(sendResumed(ctx, answer.resumed));
	return { ...ids, reason: outcome.state === 'none' ? outcome.reason : null, isOwed: outcome.state === 'failed' };
}

function receiptOf({ saleId, commissionId, reason, isOwed }: StoredSale): SaleReceipt {
	if (isOwed) throw new Fault('Failed to create commission');
	return { saleId, commissionId, reason };
}
