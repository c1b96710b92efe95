import { sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { commit, decideUntilSettled, isRaced, type Statement } from '../db/client.ts';
import { type Identity, identify, isInsideWindow } from '../domain/attribution.ts';
import { dayOf } from '../domain/calendar.ts';
import { earn, type Earning, type NoCommissionReason } from '../domain/commission.ts';
import { Fault } from '../domain/fault.ts';
import { Rejection } from '../domain/rejection.ts';
import type { Sale } from '../domain/sale.ts';
import { noteKeyUse, type TrackedProgram } from '../programs/program-key.ts';
import { claimClickId, evidenceOf, type FoundCustomer } from './find-customer.ts';
import { isKnownElsewhere, readSale, type FoundForSale } from './find-sale.ts';
import { creditCommission } from './ledger.ts';
import { insertOutbox, outboxId, sendEffects } from './outbox.ts';
import { customerIdOf, insertCustomer, updateCustomer } from './write-customer.ts';
import { insertCommission, insertSale, saleIdOf, selectReceipt, type SaleOutcome } from './write-sale.ts';

export interface SaleReceipt {
	readonly saleId: number;
	readonly commissionId: number | null;
	/** Why there is no commission. */
	readonly reason: NoCommissionReason | null;
}

/** A sale whose customer and attribution are settled. */
interface DecidedSale {
	readonly program: TrackedProgram;
	readonly identity: Identity<FoundCustomer>;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly saleDay: string;
	readonly insideWindow: boolean;
	/** No earlier sale of its subscription is known: of two that race only one may say so. */
	readonly startsSubscription: boolean;
	readonly earning: Earning;
}

/**
 * Records a sale, makes its customer a `conversion` and credits the partner's commission, all in one write batch after one
 * read (contract, 4.3; decisions 3, 4, 8, 11 to 13). Rejects as section 7 lists; a refused sale stores nothing. Where the
 * commission cannot be made, the sale is stored alone, the answer is a fault, and repairCommissions makes it later.
 */
export async function recordSale(ctx: Context, keyHash: string, sale: Sale): Promise<SaleReceipt> {
	const opId = crypto.randomUUID();
	const claim = await claimClickId(ctx, sale.clickId, false);
	let commissionFault: unknown;
	return decideUntilSettled(async () => {
		const found = await readSale(ctx, keyHash, sale, claim);
		const [key] = found.key;
		if (!key) throw new Rejection('program_key_unknown');
		const [recorded] = found.recorded;
		if (recorded?.opId === opId && recorded.isOwed) throw commissionFailed(ctx, key.id, opId, commissionFault);
		if (recorded?.opId === opId) return recorded;
		if (recorded) throw alreadyRecorded(recorded.programId !== key.id);

		const decided = await decide(ctx, key, sale, found);
		const writes = noteKeyUse(ctx, key);
		try {
			return await store(ctx, sale, decided, outcomeOf(decided.earning), writes, opId);
		} catch (error) {
			if (decided.earning.kind === 'none' || isRaced(error)) throw error;
			commissionFault = error;
			await store(ctx, sale, decided, { state: 'failed', owed: decided.earning }, writes, opId);
			throw commissionFailed(ctx, key.id, opId, error);
		}
	});
}

/** The fault that the caller is told of once the sale stands alone. */
function commissionFailed(ctx: Context, programId: number, opId: string, cause: unknown): Fault {
	ctx.log({ level: 'error', event: 'commission_failed', programId, opId, ...describeFault(cause) });
	return new Fault('Failed to create commission', cause);
}

async function decide(ctx: Context, program: TrackedProgram, sale: Sale, found: FoundForSale): Promise<DecidedSale> {
	const identity = await identifyBuyer(ctx, program, sale, found);
	const attribution = identity.kind === 'known' && identity.customer.partnerProgramId !== null ? identity.customer : clickOf(identity);
	if (!attribution || attribution.partnerProgramId === null || attribution.clickedAt === null) throw new Rejection('customer_unattributed');
	const { partnerProgramId, clickedAt } = attribution;
	const partner = found.partners.find((candidate) => candidate.partnerProgramId === partnerProgramId);
	if (!partner || partner.status === 'ended') throw new Rejection('partner_program_gone');

	const saleDay = dayOf(ctx.now, program.timeZone);
	const insideWindow = isInsideWindow(clickedAt, ctx.now, program.cookieWindowDays);
	const currency = sale.currency ?? program.currency;
	const renewal = identity.kind === 'known' ? found.renewed.find((first) => first.customerId === identity.customer.id) : undefined;
	const earning = earn(
		{
			amountCents: sale.amountCents,
			currency,
			soldAt: ctx.now,
			saleDay,
			insideWindow,
			renewalOfDay: renewal?.firstDay,
			isPartnerActive: partner.status === 'active',
		},
		partner.rules,
	);
	const startsSubscription = sale.subscriptionId !== undefined && renewal === undefined;
	return { program, identity, partnerProgramId, currency, saleDay, insideWindow, startsSubscription, earning };
}

/** The buyer, by known key first, else by click (decision 4). Rejects where neither leads to a customer of the program. */
async function identifyBuyer(ctx: Context, program: TrackedProgram, sale: Sale, found: FoundForSale): Promise<Identity<FoundCustomer>> {
	const [click] = found.click;
	const identity = identify(
		evidenceOf(program.id, { customerKey: sale.customerKey, byKey: found.byKey[0], click, ofClick: found.ofClick[0] }),
	);
	if (identity.kind === 'known' || identity.click) return identity;
	if (click?.programId === program.id) throw new Rejection('partner_program_gone');
	if (click || (await isKnownElsewhere(ctx, program, sale.customerKey))) throw new Rejection('sale_customer_elsewhere');
	throw new Rejection('sale_customer_not_found');
}

function clickOf(identity: Identity<FoundCustomer>) {
	return identity.kind === 'known' ? identity.newClick : identity.click;
}

function outcomeOf(earning: Earning): SaleOutcome {
	return earning.kind === 'earned' ? { state: 'made', earning } : { state: 'none', reason: earning.reason };
}

async function store(
	ctx: Context,
	sale: Sale,
	decided: DecidedSale,
	outcome: SaleOutcome,
	alongside: readonly Statement[],
	opId: string,
): Promise<SaleReceipt> {
	const { program, identity, partnerProgramId } = decided;
	const row = { ...sale, ...decided, programId: program.id, customerId: customerIdOf(program.id, identity), outcome, opId };
	const writes = [...writeBuyer(ctx, decided), insertSale(ctx, row), insertOutbox(ctx, opId, 'sale_recorded', program.id, saleIdOf(opId))];
	const effects = [outboxId(opId, 'sale_recorded')];
	if (outcome.state === 'made') {
		const commissionId = sql`(SELECT id FROM commissions WHERE sale_id = ${saleIdOf(opId)})`;
		writes.push(
			insertCommission(
				ctx,
				{ saleId: saleIdOf(opId), programId: program.id, partnerProgramId, currency: decided.currency, day: decided.saleDay },
				outcome.earning,
			),
			creditCommission(ctx, saleIdOf(opId), opId),
			insertOutbox(ctx, opId, 'commission_created', program.id, commissionId),
		);
		effects.push(outboxId(opId, 'commission_created'));
	}
	const [receipt] = await commit(ctx.db, [...writes, ...alongside], selectReceipt(ctx, opId));
	if (!receipt) throw new Error('The sale was not stored');
	sendEffects(ctx, effects);
	return receipt;
}

/**
 * The customer's new status, and what the sale newly tells of it; nothing for a customer that has bought before. The first
 * sale of a subscription takes the customer's revision in any case, so that two first sales cannot both be it.
 */
function writeBuyer(ctx: Context, { identity, saleDay, startsSubscription, program }: DecidedSale): Statement[] {
	const facts = { status: 'conversion', signupDay: undefined, purchaseDay: saleDay, emailHash: undefined, email: undefined } as const;
	if (identity.kind === 'new') return [insertCustomer(ctx, program.id, identity, facts)];
	if (identity.customer.status !== 'conversion') return [updateCustomer(ctx, identity, facts)];
	if (identity.newKey === undefined && !startsSubscription) return [];
	return [updateCustomer(ctx, identity, { ...facts, purchaseDay: undefined })];
}

function alreadyRecorded(byAnotherProgram: boolean): Rejection {
	const message = byAnotherProgram
		? 'Another program has used this transaction_id. Ids are unique over all programs: put a prefix of your own before them.'
		: 'The sale is recorded. Do not send it again.';
	return new Rejection(
		byAnotherProgram ? 'transaction_recorded_elsewhere' : 'transaction_already_recorded',
		{},
		{ message, statusCode: 409 },
	);
}
