import type { CommissionRow, EntryRow, PayoutRow, Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { type RowInvariant, type WithRows, byId, grouped, type Invariant, violated } from './invariant.ts';
import { accountOf, nominalOf } from './ledger.ts';

// Derived from the ledger entries alone, without balances or commissions.

export const payouts: RowInvariant = {
	name: 'payouts pay the rest of commissions and what is owed besides, less debts, once',
	reads: ['entries', 'commissions', 'payouts'],
	check: checkPayouts,
};

/** How an entry changes the amount owed besides commissions. If the commission is unpaid, only what a refund's clamp forgives counts. */
function besideOf({ kind, nominal_cents: nominal, applied_cents: applied }: EntryRow, isPaid: boolean): number {
	if (kind === 'recovery' || kind === 'surplus' || kind === 'return') return applied;
	if (kind === 'reversal' || kind === 'reinstatement') return isPaid ? applied : applied - nominal;
	return 0;
}

/** The amount owed besides commissions: before each payout's first entry, and now for each account. */
function owedBeside(entries: readonly EntryRow[]): { beforePayout: Map<number, number>; now: Map<string, number> } {
	const now = new Map<string, number>();
	const beforePayout = new Map<number, number>();
	const paid = new Set<number | null>();
	for (const entry of entries) {
		const owed = now.get(accountOf(entry)) ?? 0;
		if (entry.payout_id !== null && !beforePayout.has(entry.payout_id)) beforePayout.set(entry.payout_id, owed);
		now.set(accountOf(entry), owed + besideOf(entry, paid.has(entry.commission_id)));
		if (entry.kind === 'payout') paid.add(entry.commission_id);
	}
	return { beforePayout, now };
}

function checkPayouts({ rows }: WithRows): void {
	const payoutEntries = rows.entries.filter((entry) => entry.kind === 'payout');
	const ofCommission = grouped(payoutEntries, (entry) => entry.commission_id);
	for (const commission of rows.commissions) {
		const entries = ofCommission.get(commission.id) ?? [];
		const isPaid = commission.payout_id !== null;
		if (entries.length !== (isPaid ? 1 : 0))
			throw violated(payouts.name, `commission ${commission.id} has payout ${commission.payout_id} and ${entries.length} payout entries`);
		if (isPaid !== (commission.paid_at !== null)) throw violated(payouts.name, `commission ${commission.id} is only half marked as paid`);
		if (entries[0]) checkPaidRest(rows.entries, commission, entries[0]);
	}
	const ofPayout = grouped(rows.entries, (entry) => entry.payout_id);
	const { beforePayout } = owedBeside(rows.entries);
	for (const payout of rows.payouts) checkPayout(payout, ofPayout.get(payout.id) ?? [], beforePayout.get(payout.id) ?? 0);
}

function checkPayout(payout: PayoutRow, entries: readonly EntryRow[], owed: number): void {
	const rest = -nominalOf(entries, 'payout');
	const debt = owed < 0 ? -owed : 0;
	const surplus = owed > 0 ? owed : 0;
	const recovered = debt > rest ? rest : debt;
	const due = `${rest + surplus - recovered} + ${recovered} recovered = ${rest + surplus}, ${surplus} of it surplus`;
	const stored = `${payout.amount_cents} + ${payout.recovered_cents} recovered = ${payout.due_cents}, ${payout.surplus_cents} of it surplus`;
	if (stored !== due) throw violated(payouts.name, `payout ${payout.id} says ${stored}, should be ${due}`);
	const beside = entries
		.filter(({ kind }) => kind !== 'payout' && kind !== 'return')
		.map(({ kind, applied_cents }) => `${kind} ${applied_cents}`);
	const expected = [...(recovered > 0 ? [`recovery ${recovered}`] : []), ...(surplus > 0 ? [`surplus ${-surplus}`] : [])];
	if (beside.join() !== expected.join())
		throw violated(payouts.name, `payout ${payout.id} has entries ${beside.join()} besides its commissions, should be ${expected.join()}`);
	if (entries.length === 0) throw violated(payouts.name, `payout ${payout.id} pays nothing`);
	const returned = entries.filter(({ kind }) => kind === 'return').map(({ applied_cents }) => applied_cents);
	const back = payout.failed_at === null ? [] : [payout.amount_cents];
	if (returned.join() !== back.join())
		throw violated(payouts.name, `payout ${payout.id} returns ${returned.join()}, should be ${back.join()}`);
	if (payout.amount_cents === 0 && (payout.sent_at ?? payout.failed_at) !== null)
		throw violated(payouts.name, `payout ${payout.id} of 0 was sent or failed`);
	if (entries.some((entry) => accountOf(entry) !== accountOf(payout)))
		throw violated(payouts.name, `payout ${payout.id} pays another account`);
}

export const marks: Invariant = {
	name: 'a payout may be sent, then fail, which is final',
	onAnswers: true,
	check: checkMarks,
};

function checkMarks({ rows, before, journal }: Simulation): void {
	const now = byId(rows.payouts);
	for (const { id, sent_at: sentAt, failed_at: failedAt } of before.payouts) {
		const payout = now.get(id);
		if (failedAt !== null && (payout?.failed_at !== failedAt || payout.sent_at !== sentAt))
			throw violated(marks.name, `payout ${id} had failed and is now sent at ${payout?.sent_at}, failed at ${payout?.failed_at}`);
		if (sentAt !== null && payout?.sent_at !== sentAt)
			throw violated(marks.name, `payout ${id} was sent and is now sent at ${payout?.sent_at}`);
	}
	for (const kind of ['sent', 'failed'] as const) {
		const marked = new Set<number>();
		for (const id of journal.answered(kind).flatMap(({ request }) => [...new Set(request.params.ids)])) {
			if ((now.get(id)?.[`${kind}_at`] ?? null) === null) throw violated(marks.name, `payout ${id} is not ${kind}, as answered`);
			if (marked.has(id)) throw violated(marks.name, `two requests were answered that they marked payout ${id} as ${kind}`);
			marked.add(id);
		}
	}
}

function checkPaidRest(entries: readonly EntryRow[], commission: CommissionRow, payout: EntryRow): void {
	const earlier = entries.filter((entry) => entry.commission_id === commission.id && entry.id < payout.id);
	const deductedBefore = -nominalOf(earlier, 'reversal') - nominalOf(earlier, 'reinstatement');
	const rest = commission.amount_cents - deductedBefore;
	if (payout.nominal_cents !== -rest)
		throw violated(payouts.name, `commission ${commission.id} had ${rest} left, but was paid ${-payout.nominal_cents}`);
}

/** `available pending debt` by account. */
export function expectedBalances({ entries, commissions, balances }: Rows, programId: number, now: number): Map<string, string> {
	const { now: owed } = owedBeside(entries);
	const own = grouped(entries, (entry) => entry.commission_id);
	const memberships = new Set(commissions.filter(({ program_id }) => program_id === programId).map(accountOf));
	return new Map(
		balances
			.map(accountOf)
			.filter((account) => memberships.has(account))
			.map((account) => {
				let [payable, pending] = [0, 0];
				for (const commission of commissions.filter((row) => accountOf(row) === account)) {
					const rest = restOf(own.get(commission.id) ?? []);
					if (isHeld(commission, now)) pending += rest;
					else payable += rest;
				}
				const net = payable + (owed.get(account) ?? 0);
				return [account, net > 0 ? `${net} ${pending} 0` : `0 ${pending} ${-net}`];
			}),
	);
}

function restOf(entries: readonly EntryRow[]): number {
	if (entries.some(({ kind }) => kind === 'payout' || kind === 'rejection')) return 0;
	return entries.reduce((sum, { nominal_cents }) => sum + nominal_cents, 0);
}

function isHeld({ status, status_before_refund, hold_until }: CommissionRow, now: number): boolean {
	return status === 'pending' || (status === 'refunded' && status_before_refund === 'pending' && hold_until > now);
}
