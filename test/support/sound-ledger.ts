import { expect } from 'vitest';
import { proportionOf } from '../../src/domain/money.ts';
import { rows } from './funnel.ts';

interface Account {
	readonly balance: number;
	readonly entries: number;
	readonly last: number;
}

interface Forgiven {
	/** Forgiven by clamps and not yet offset by a reinstatement. */
	readonly forgiven: number;
	/** Owed to the partner beyond the commissions; a debt if negative. */
	readonly surplus: number;
	/** Returned by failed payouts. */
	readonly returned: number;
}

interface Reversed {
	readonly id: number;
	readonly status: string;
	readonly amount: number;
	readonly deducted: number;
	readonly reversed: number;
	readonly credits: number;
	readonly payouts: number;
	readonly paid: number;
	readonly sale: number;
	readonly refunded: number;
	readonly events: number;
}

/** Checks as many invariants of a partner's money as the rows allow, after any history. */
export function expectSoundLedger({ partnerProgramId }: { readonly partnerProgramId: number }): Promise<void> {
	return expectSoundLedgers([partnerProgramId]);
}

/** The same for many partners, in as few trips as for one. */
export async function expectSoundLedgers(partnerProgramIds: readonly number[]): Promise<void> {
	const ids = JSON.stringify(partnerProgramIds);
	const accounts = await rows<Account>(
		`SELECT b.balance_cents AS balance, sum(e.applied_cents) AS entries,
			(SELECT balance_after_cents FROM ledger_entries WHERE id = b.last_entry_id) AS last
		FROM partner_program_balances b
		JOIN ledger_entries e ON e.partner_program_id = b.partner_program_id AND e.currency = b.currency
		WHERE b.partner_program_id IN (SELECT value FROM json_each(?)) GROUP BY b.partner_program_id, b.currency`,
		ids,
	);
	for (const { balance, entries, last } of accounts) expect([entries, last]).toEqual([balance, balance]);

	const forgiven = await rows<Forgiven>(
		`SELECT coalesce(sum(e.applied_cents - e.nominal_cents) FILTER (WHERE e.kind IN ('reversal', 'reinstatement')), 0) AS forgiven,
			coalesce(sum(e.applied_cents) FILTER (WHERE e.kind = 'return'), 0) AS returned,
			sum(e.applied_cents) - coalesce((
				SELECT sum(c.amount_cents - c.deducted_cents) FROM commissions c
				WHERE c.partner_program_id = e.partner_program_id AND c.currency = e.currency AND c.paid_at IS NULL AND c.status <> 'rejected'
			), 0) AS surplus
		FROM ledger_entries e WHERE e.partner_program_id IN (SELECT value FROM json_each(?)) GROUP BY e.partner_program_id, e.currency`,
		ids,
	);
	for (const account of forgiven) {
		expect(account.forgiven).toBeGreaterThanOrEqual(0);
		// A reinstatement first offsets what was forgiven (decision 51).
		if (account.forgiven > 0) expect(account.surplus).toBeLessThanOrEqual(account.returned);
	}

	const payouts = await rows<{ readonly owed: number; readonly returned: number }>(
		`SELECT iif(failed_at IS NULL, 0, amount_cents) AS owed,
			(SELECT coalesce(sum(applied_cents), 0) FROM ledger_entries WHERE payout_id = p.id AND kind = 'return') AS returned
		FROM payouts p WHERE partner_program_id IN (SELECT value FROM json_each(?))`,
		ids,
	);
	for (const { owed, returned } of payouts) expect(returned).toBe(owed);

	const commissions = await rows<Reversed>(
		`SELECT c.id, c.status, c.amount_cents AS amount, c.deducted_cents AS deducted, s.amount_cents AS sale, s.refunded_cents AS refunded,
			coalesce((SELECT -sum(nominal_cents) FROM ledger_entries WHERE commission_id = c.id AND kind IN ('reversal', 'reinstatement')), 0) AS reversed,
			(SELECT count(*) FROM ledger_entries WHERE commission_id = c.id AND kind = 'credit') AS credits,
			(SELECT count(*) FROM ledger_entries WHERE commission_id = c.id AND kind = 'payout') AS payouts,
			c.payout_id IS NOT NULL AS paid,
			coalesce((
				SELECT sum(iif(outcome = 'reinstated', -1, 1) * amount_cents) FROM refund_events WHERE sale_id = s.id AND is_test = 0
			), 0) AS events
		FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE c.partner_program_id IN (SELECT value FROM json_each(?))`,
		ids,
	);
	for (const commission of commissions) {
		const { status, amount, deducted, sale, refunded } = commission;
		expect(commission).toMatchObject({ reversed: deducted, credits: 1, payouts: commission.paid, events: refunded });
		// A rejection deducts everything, so later refunds do not change it.
		if (status !== 'rejected') expect(deducted).toBe(proportionOf(amount, refunded, sale));
	}
}
