import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { formatDuePosition, parseDuePosition, takeForSlice } from '../domain/payouts/due.ts';
import { accountOf, type Minimum, PAYOUT_LIMIT, type PlannedPayout, planPayouts } from '../domain/payouts/payout.ts';
import type { Run, RunResult, Slice, SliceTry } from '../runs/run.ts';
import { IS_UNPAID, selectAccounts } from '../ledger/balances.ts';
import type { SelectedCommission } from '../commissions/selected-commissions.ts';
import { type DueFilter, type FoundAccount, isPayable, readDueAccounts } from './due-accounts.ts';
import { paySelectionOf } from './pay-run.ts';
import { payoutStatements } from './write-payouts.ts';

/** Keeps a slice short, because sales wait for it in D1. An account with more commissions gets its own slice. */
const MOST = { accounts: 100, commissions: 1_000 } as const;

/** Pays the next accounts of a run as one operation (decisions 19a and 64). Sums only select accounts: what each is due is read again. */
export async function planPaySlice(ctx: Context, run: Run, { operation, attempt }: SliceTry): Promise<Slice> {
	const { minimum, ...selection } = paySelectionOf(run);
	const filter = { ...selection, untilId: run.untilId };
	const after = run.cursor === null ? undefined : parseDuePosition(run.cursor);
	const part = await readDueAccounts(ctx, run.programId, filter, { after, accounts: MOST.accounts });
	const taken = takeForSlice(part.accounts, narrowed(attempt));
	const next = taken.length < part.accounts.length ? taken.at(-1) : part.next;
	const planned = await planTaken(ctx, run, { taken, filter, minimum });
	const paid = planned.filter(({ leftOut }) => leftOut === undefined);
	const selected = paid.flatMap((payout) => payout.commissions);
	return {
		statements:
			paid.length === 0
				? []
				: payoutStatements(ctx, {
						operation,
						programId: run.programId,
						userId: run.createdBy,
						runId: run.id,
						selected,
						surplusAccounts: paid.filter((payout) => payout.commissions.length === 0).map(({ account }) => account),
						minimum,
					}),
		cursor: next && formatDuePosition(next),
		counts: { paid: paid.length, commissions: selected.length, left_out: planned.filter(isNamed).length },
		sums: sql`SELECT currency, amount_cents AS cents FROM payouts WHERE op_id = ${operation}`,
		results: planned.flatMap((payout) => resultOf(payout, taken)),
	};
}

/** Halves the limits after each conflict. */
function narrowed(attempt: number) {
	const share = 2 ** (attempt - 1);
	return { accounts: Math.ceil(MOST.accounts / share), commissions: Math.ceil(MOST.commissions / share) };
}

interface Taken {
	readonly taken: readonly FoundAccount[];
	readonly filter: DueFilter;
	readonly minimum: Minimum;
}

/** One read of commissions and balances. */
async function planTaken(ctx: Context, run: Run, { taken, filter, minimum }: Taken): Promise<PlannedPayout<SelectedCommission>[]> {
	if (taken.length === 0) return [];
	const { found, accounts } = await read(ctx.db, {
		found: selectOldest(ctx, run.programId, taken, filter),
		accounts: selectAccounts(ctx, run.programId, [...new Set(taken.map(({ partnerId }) => partnerId))]),
	});
	const named = new Set(taken.map(accountOf));
	return planPayouts(
		found,
		accounts.filter((account) => named.has(accountOf(account))),
		minimum,
		ctx.now,
	);
}

/** The accounts' oldest payable commissions, up to the limit of one payout. */
function selectOldest(ctx: Context, programId: number, taken: readonly FoundAccount[], filter: DueFilter) {
	const accounts = JSON.stringify(taken.map(({ partnerProgramId, currency }) => [partnerProgramId, currency]));
	return ctx.db.all<SelectedCommission>(sql`
		SELECT c.id, c.partner_program_id AS partnerProgramId, c.currency, c.status, c.amount_cents AS amountCents,
			c.deducted_cents AS deductedCents, c.status_before_refund AS statusBeforeRefund, c.hold_until AS holdUntil,
			c.paid_at AS paidAt, c.revision
		FROM json_each(${accounts}) AS account
		CROSS JOIN commissions c INDEXED BY commissions_unpaid
			ON c.program_id = ${programId} AND c.partner_program_id = account.value ->> 0 AND c.currency = account.value ->> 1
		WHERE ${IS_UNPAID} AND ${isPayable(ctx, filter)}
		ORDER BY account.key, c.id LIMIT ${PAYOUT_LIMIT}`);
}

/** Results omit accounts with only held commissions. */
function isNamed({ leftOut }: PlannedPayout<SelectedCommission>): boolean {
	return leftOut === 'below_minimum' || leftOut === 'in_debt';
}

/** Stores only what the payout does not. */
function resultOf(payout: PlannedPayout<SelectedCommission>, taken: readonly FoundAccount[]): RunResult[] {
	const { account, leftOut, commissions, amountCents, recoveredCents } = payout;
	const { partnerProgramId, currency } = account;
	if (leftOut === undefined) {
		const found = taken.find((other) => accountOf(other) === accountOf(account));
		const left = Math.max((found?.payableCount ?? 0) - commissions.length, 0);
		return [{ outcome: 'paid', partnerProgramId, currency, detail: { commissions: commissions.length, left } }];
	}
	return isNamed(payout)
		? [{ outcome: leftOut, partnerProgramId, currency, detail: { amount_cents: amountCents, recovered_cents: recoveredCents } }]
		: [];
}
