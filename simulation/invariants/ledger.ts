import type { EntryRow } from '../world/rows.ts';
import { type RowInvariant, type WithRows, byId, grouped, violated } from './invariant.ts';

// Replays the ledger entry by entry and compares balances, commissions and payouts.

export const balances: RowInvariant = {
	name: 'a balance is the sum of its entries',
	reads: ['entries', 'balances'],
	check: checkBalances,
};
export const movements: RowInvariant = {
	name: 'an entry applies the amount due, a refund clamped at zero',
	reads: ['entries', 'commissions'],
	check: checkMovements,
};
export const credits: RowInvariant = { name: 'a commission is credited once', reads: ['entries', 'commissions'], check: checkCredits };
export const reversals: RowInvariant = {
	name: 'reversals sum up to what the commission says was deducted',
	reads: ['entries', 'commissions'],
	check: checkReversals,
};

export const overpaid: RowInvariant = {
	name: 'nobody is paid more than was earned',
	reads: ['entries', 'commissions'],
	check: checkOverpaid,
};

export function accountOf(row: { partner_program_id: number; currency: string }): string {
	return `${row.partner_program_id} ${row.currency}`;
}

function checkBalances({ rows }: WithRows): void {
	const sums = new Map<string, number>();
	for (const entry of rows.entries) {
		const sum = (sums.get(accountOf(entry)) ?? 0) + entry.applied_cents;
		sums.set(accountOf(entry), sum);
		if (sum !== entry.balance_after_cents)
			throw violated(balances.name, `entry ${entry.id} says ${entry.balance_after_cents}, the sum is ${sum}`);
	}
	for (const balance of rows.balances) {
		const sum = sums.get(accountOf(balance)) ?? 0;
		if (sum !== balance.balance_cents)
			throw violated(balances.name, `account ${accountOf(balance)} has ${balance.balance_cents}, the sum is ${sum}`);
		sums.delete(accountOf(balance));
	}
	const [without] = sums.keys();
	if (without !== undefined) throw violated(balances.name, `account ${without} has entries but no balance`);
}

function checkMovements({ rows }: WithRows): void {
	const commissions = byId(rows.commissions);
	const held = new Map<string, number>();
	const paid = new Set<number>();
	const rejected = new Set<number | null>();
	const forgiven = new Map<string, number>();
	for (const entry of rows.entries) {
		const before = held.get(accountOf(entry)) ?? 0;
		held.set(accountOf(entry), before + entry.applied_cents);
		const commission = entry.commission_id === null ? undefined : commissions.get(entry.commission_id);
		if (commission && accountOf(commission) !== accountOf(entry))
			throw violated(movements.name, `entry ${entry.id} is not on its commission's account`);
		if (rejected.has(entry.commission_id))
			throw violated(movements.name, `entry ${entry.id} (${entry.kind}) follows the rejection of its commission`);
		if (entry.kind === 'rejection') rejected.add(entry.commission_id);
		const toWithhold = forgiven.get(accountOf(entry)) ?? 0;
		const due = dueOf(entry, before, commission !== undefined && paid.has(commission.id), toWithhold);
		if (entry.applied_cents !== due) {
			throw violated(
				movements.name,
				`entry ${entry.id} (${entry.kind} of ${entry.nominal_cents}, balance ${before}) applied ${entry.applied_cents}, should be ${due}`,
			);
		}
		if (entry.kind === 'payout' && commission) paid.add(commission.id);
		if (entry.kind === 'reversal' || entry.kind === 'reinstatement')
			forgiven.set(accountOf(entry), toWithhold - (entry.nominal_cents - entry.applied_cents));
	}
}

function dueOf({ kind, nominal_cents: nominal }: EntryRow, before: number, isPaid: boolean, toWithhold: number): number {
	if (kind === 'reinstatement') return nominal > toWithhold ? nominal - toWithhold : 0;
	if (kind === 'reversal' && isPaid) return nominal;
	if (kind === 'reversal') return before <= 0 ? 0 : before + nominal < 0 ? -before : nominal;
	return nominal;
}

const isCash = ({ kind }: EntryRow) => kind === 'payout' || kind === 'recovery' || kind === 'surplus' || kind === 'return';

/**
 * Payments plus balance equal earnings plus the forgiven amount. Reinstatements restore that amount first (decision 51), so until then only
 * failed payouts may be owed besides commissions.
 */
function checkOverpaid({ rows }: WithRows): void {
	const commissions = grouped(rows.commissions, accountOf);
	for (const [account, entries] of grouped(rows.entries, accountOf)) {
		const own = commissions.get(account) ?? [];
		const earned = sumOf(own, ({ status, amount_cents, deducted_cents }) => (status === 'rejected' ? 0 : amount_cents - deducted_cents));
		const unpaid = sumOf(own, ({ status, paid_at, amount_cents, deducted_cents }) =>
			status === 'rejected' || paid_at !== null ? 0 : amount_cents - deducted_cents,
		);
		const balance = sumOf(entries, ({ applied_cents }) => applied_cents);
		const paid = -sumOf(entries.filter(isCash), ({ applied_cents }) => applied_cents);
		const returned = sumOf(entries, ({ kind, applied_cents }) => (kind === 'return' ? applied_cents : 0));
		const forgiven = paid + balance - earned;
		if (forgiven < 0) throw violated(overpaid.name, `account ${account} has ${-forgiven} less than it earned`);
		if (forgiven > 0 && balance - unpaid > returned)
			throw violated(
				overpaid.name,
				`account ${account} is owed ${balance - unpaid} besides its commissions, although ${forgiven} was forgiven`,
			);
	}
}

function sumOf<Row>(rows: readonly Row[], centsOf: (row: Row) => number): number {
	return rows.reduce((sum, row) => sum + centsOf(row), 0);
}

function checkCredits({ rows }: WithRows): void {
	const credited = grouped(
		rows.entries.filter((entry) => entry.kind === 'credit'),
		(entry) => entry.commission_id,
	);
	for (const commission of rows.commissions) {
		const entries = credited.get(commission.id) ?? [];
		if (entries.length !== 1) throw violated(credits.name, `commission ${commission.id} has ${entries.length} credits`);
		if (entries[0]?.applied_cents !== commission.amount_cents) {
			throw violated(credits.name, `commission ${commission.id} of ${commission.amount_cents} is credited ${entries[0]?.applied_cents}`);
		}
	}
}

function checkReversals({ rows }: WithRows): void {
	const entries = grouped(rows.entries, (entry) => entry.commission_id);
	for (const commission of rows.commissions) {
		const own = entries.get(commission.id) ?? [];
		const deducted = -nominalOf(own, 'reversal') - nominalOf(own, 'reinstatement');
		if (deducted !== commission.deducted_cents) {
			throw violated(reversals.name, `commission ${commission.id} says ${commission.deducted_cents}, its entries say ${deducted}`);
		}
		const rejections = own.filter((entry) => entry.kind === 'rejection');
		if (rejections.length !== (commission.status === 'rejected' ? 1 : 0)) {
			throw violated(reversals.name, `commission ${commission.id} is ${commission.status} and has ${rejections.length} rejections`);
		}
	}
}

export function nominalOf(entries: readonly EntryRow[], kind: EntryRow['kind']): number {
	return entries.filter((entry) => entry.kind === kind).reduce((sum, entry) => sum + entry.nominal_cents, 0);
}
