import type { Context } from '../context.ts';
import { type DuePosition, isEmpty, planDue } from '../domain/payouts/due.ts';
import { type Minimum, minimumOf, type Planned } from '../domain/payouts/payout.ts';
import { type FoundAccount, readDueAccounts } from './due-accounts.ts';
import { type DueSum, selectDueSums } from './due-sums.ts';
import { type DueRequest, paidBy } from './start-pay-run.ts';

/** The list may omit some of them. */
const ACCOUNTS_AT_ONCE = 200;
/** The most parts that one page reads. */
const PARTS = 3;

export interface DueListRequest extends DueRequest {
	/** Lists the nonempty accounts that get no payout, instead of those that do. */
	readonly isLeftOut: boolean;
	readonly cursor?: DuePosition | undefined;
	readonly limit: number;
}

export interface PlannedAccount extends Planned {
	readonly account: FoundAccount;
}

export interface DuePage {
	readonly rows: readonly PlannedAccount[];
	readonly next: DuePosition | undefined;
	readonly minimum: Minimum;
}

type PayingProgram = Parameters<typeof minimumOf>[1] & { readonly id: number };

/** What a run with the same fields would pay to each account, by partner. A page may be short although another one follows. */
export async function listDue(ctx: Context, program: PayingProgram, request: DueListRequest): Promise<DuePage> {
	const { isLeftOut, cursor, limit, minimumCents, ...filter } = request;
	const minimum = minimumOf(minimumCents, program);
	const rows: PlannedAccount[] = [];
	let after = cursor;
	for (let part = 0; part < PARTS; part += 1) {
		const found = await readDueAccounts(ctx, program.id, paidBy(filter), { after, accounts: ACCOUNTS_AT_ONCE });
		for (const [index, account] of found.accounts.entries()) {
			const planned = planDue(account, minimum);
			const isShown = isLeftOut ? planned.leftOut !== undefined && !isEmpty(account) : planned.leftOut === undefined;
			if (isShown) rows.push({ account, ...planned });
			const isLast = index === found.accounts.length - 1 && found.next === undefined;
			if (rows.length === limit) return { rows, next: isLast ? undefined : account, minimum };
		}
		if (found.next === undefined) return { rows, next: undefined, minimum };
		after = found.next;
	}
	return { rows, next: after, minimum };
}

export interface DueTotals {
	/** What a run with the same fields would pay or leave out. */
	readonly sums: readonly DueSum[];
	/** Payouts due to members in another status, whom such a run does not pay. */
	readonly others: readonly DueSum[];
	readonly minimum: Minimum;
}

/** One round trip. */
export async function sumDue(ctx: Context, program: PayingProgram, { minimumCents, status, ...filter }: DueRequest): Promise<DueTotals> {
	const minimum = minimumOf(minimumCents, program);
	const found = await selectDueSums(ctx, program.id, filter, minimum);
	const paid = paidBy({ ...filter, status }).status;
	return {
		sums: withoutStatus(found.filter((sum) => paid === undefined || sum.status === paid)),
		others: found.filter((sum) => paid !== undefined && sum.status !== paid && sum.leftOut === null),
		minimum,
	};
}

/** Named partners are paid in any status, so their sums are added. */
function withoutStatus(sums: readonly DueSum[]): DueSum[] {
	const groups = Map.groupBy(sums, ({ currency, leftOut }) => `${currency} ${leftOut}`);
	return [...groups.values()].flatMap((group) => {
		const [first, ...others] = group;
		return first ? [others.reduce(add, first)] : [];
	});
}

function add(one: DueSum, other: DueSum): DueSum {
	return {
		...one,
		accounts: one.accounts + other.accounts,
		amountCents: one.amountCents + other.amountCents,
		recoveredCents: one.recoveredCents + other.recoveredCents,
		commissionCents: one.commissionCents + other.commissionCents,
		surplusCents: one.surplusCents + other.surplusCents,
		commissions: one.commissions + other.commissions,
		withoutMethod: one.withoutMethod + other.withoutMethod,
		aboveLimit: one.aboveLimit + other.aboveLimit,
	};
}
