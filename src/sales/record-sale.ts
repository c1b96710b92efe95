import type { Context } from '../context.ts';
import { decideUntilSettled, read, write } from '../db/client.ts';
import { type Given, prepare } from '../db/prepare.ts';
import { Fault } from '../domain/fault.ts';
import { Rejection } from '../domain/rejection.ts';
import type { Sale } from '../domain/sale.ts';
import { decideSale } from '../domain/sale-decision.ts';
import { ASKING_PROGRAM, askingKey, noteKeyUse, selectProgramByKey } from '../programs/program-key.ts';
import { claimClickId } from '../customers/find-customer.ts';
import { type AskedSale, askedSale, knownOfSale, readsForSale, refusalOf, selectRecorded } from './find-sale.ts';
import { commitPlan } from './plan.ts';
import { planSale, type SalePlan, type SaleReceipt } from './plan-sale.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { sendWoken, wakeBySale } from '../inbox/wake-events.ts';

/**
 * Records a sale, makes its customer a `conversion` and credits the partner's commission, all in one write batch after one
 * read (contract, 4.3; decisions 3, 4, 8, 11 to 13). Rejects as section 7 lists; a refused sale stores nothing. Where the
 * commission cannot be made, the sale is stored alone, the answer is a fault, and repairCommissions makes it later.
 */
export async function recordSale(ctx: Context, keyHash: string, sale: Sale): Promise<SaleReceipt> {
	const opId = crypto.randomUUID();
	const claim = await claimClickId(ctx, sale.clickId, false);
	return decideUntilSettled(async () => {
		const found = await read(ctx.db, readForSale(ctx, { keyHash, transactionId: sale.transactionId, ...askedSale(sale, claim) }));
		const [key] = found.key;
		if (!key) throw new Rejection('program_key_unknown');
		const [recorded] = found.recorded;
		if (recorded?.opId === opId && recorded.isOwed) throw new Fault('Failed to create commission');
		if (recorded?.opId === opId) return recorded;
		if (recorded) throw alreadyRecorded(recorded.programId !== key.id);

		const decision = decideSale(key, sale, knownOfSale(found), { now: ctx.now, paidAt: ctx.now, carriesKeys: false });
		if (decision.kind !== 'sold') throw await refusalOf(ctx, key, decision);
		const plan = planSale(ctx, { program: key, sale, decision, chargedCents: null, invoiceId: null, aliases: [], opId });
		return commitPlan(ctx, { programId: key.id, opId }, plan, (some) => commit(ctx, key, sale, some));
	});
}

type KnownKey = Awaited<ReturnType<typeof selectProgramByKey>>[number];

async function commit(ctx: Context, key: KnownKey, sale: Sale, { outcome, writes, recorded, effects }: SalePlan): Promise<SaleReceipt> {
	const woken = wakeBySale(ctx, key.id, sale);
	const answer = await write(ctx.db, [...writes, ...noteKeyUse(ctx, key)], { woken, recorded });
	const [stored] = answer.recorded;
	if (!stored) throw new Error('The sale was not stored');
	sendEffects(ctx, effects);
	ctx.defer(sendWoken(ctx, answer.woken));
	if (outcome.state === 'failed') throw new Fault('Failed to create commission');
	return { ...stored, reason: outcome.state === 'none' ? outcome.reason : null };
}

interface AskedWithKey extends AskedSale {
	readonly keyHash: string;
	readonly transactionId: string;
}

const readForSale = prepare(
	(asking, given: Given<AskedWithKey>) => ({
		key: selectProgramByKey(asking, given.keyHash),
		recorded: selectRecorded(asking, given.transactionId, false),
		...readsForSale(asking, ASKING_PROGRAM, given),
	}),
	askingKey,
);

/** 409 to who sends a sale whose id has been used (contract, section 7; decision 11b). */
export function alreadyRecorded(byAnotherProgram: boolean): Rejection {
	const message = byAnotherProgram
		? 'Another program has used this transaction_id. Ids are unique over all programs: put a prefix of your own before them.'
		: 'The sale is recorded. Do not send it again.';
	return new Rejection(
		byAnotherProgram ? 'transaction_recorded_elsewhere' : 'transaction_already_recorded',
		{},
		{ message, statusCode: 409 },
	);
}
