import { expect, describe, test } from 'vitest';
import { aFunnel, aPartner, aSale, balanceOf, type Funnel, rows } from '../support/funnel.ts';
import { expectRefused, run } from '../support/refused.ts';
import { aPayoutRow } from '../support/commission-in.ts';

// Money moves only through the ledger, and an entry must match its commission. The database refuses everything else.

describe('the ledger', () => {
	const INSERT = `INSERT INTO ledger_entries
		(partner_program_id, currency, kind, commission_id, payout_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, hex(randomblob(8)), 0)`;

	interface Entry {
		readonly partner?: number;
		readonly currency?: string;
		readonly kind: string;
		readonly commission?: number | null;
		readonly payout?: number | null;
		readonly nominal: number;
		readonly applied?: number;
		readonly after?: number;
	}

	/** An entry for a fresh, unpaid commission of 20.00 that fits the balance, unless the given fields say otherwise. */
	async function enter(place: Funnel, commissionId: number | null, entry: Entry): Promise<unknown> {
		const { currency = 'USD', kind, nominal, applied = nominal, commission = commissionId, payout = null } = entry;
		const partner = entry.partner ?? place.partnerProgramId;
		const after = entry.after ?? (await balanceOf({ partnerProgramId: partner }, currency)) + applied;
		return run(INSERT, partner, currency, kind, commission, payout, nominal, applied, after);
	}

	test('refuses an entry that does not follow the balance', async () => {
		const place = await aFunnel();
		const { commissionId } = await aSale(place);
		const error = 'ledger_entries: the entry does not follow the balance';
		await expect(enter(place, commissionId, { kind: 'reversal', nominal: -5, after: 2_000 })).rejects.toThrow(error);
		await expect(enter(place, commissionId, { kind: 'reversal', nominal: -5, after: 1_994 })).rejects.toThrow(error);
		expect(await balanceOf(place)).toBe(2_000);
	});

	test('refuses an entry that does not match its commission', async () => {
		const place = await aFunnel();
		const { commissionId } = await aSale(place);
		const other = { ...place, ...(await aPartner(place.owner, place.id)) };
		const error = 'ledger_entries: the entry does not agree with its commission';
		const wrong: Entry[] = [
			{ kind: 'reversal', nominal: -5 },
			{ kind: 'reinstatement', nominal: 5 },
			{ kind: 'rejection', nominal: -2_000 },
			{ kind: 'payout', nominal: -2_000, payout: await aPayoutRow(place) },
		];
		for (const entry of wrong) await expect(enter(place, commissionId, entry), entry.kind).rejects.toThrow(error);
		// An entry in another account would change the wrong partner's balance.
		await run(
			'UPDATE commissions SET status = ?, status_before_refund = ?, deducted_cents = 5, revision = revision + 1 WHERE id = ?',
			'refunded',
			'approved',
			commissionId,
		);
		await expect(
			enter(place, commissionId, { kind: 'reversal', nominal: -5, applied: 0, partner: other.partnerProgramId }),
		).rejects.toThrow(error);
		await expect(enter(place, commissionId, { kind: 'reversal', nominal: -5, applied: 0, currency: 'EUR' })).rejects.toThrow(error);
		await enter(place, commissionId, { kind: 'reversal', nominal: -5 });
		expect(await balanceOf(place)).toBe(1_995);
	});

	test.each<[Entry, string]>([
		[{ kind: 'credit', nominal: 2_000 }, 'UNIQUE'],
		[{ kind: 'credit', nominal: -5 }, 'ledger_entries_direction'],
		[{ kind: 'credit', nominal: 2_000, applied: 1_000 }, 'ledger_entries_direction'],
		[{ kind: 'reversal', nominal: 5 }, 'ledger_entries_direction'],
		[{ kind: 'reversal', nominal: -5, applied: -6 }, 'ledger_entries_direction'],
		[{ kind: 'reversal', nominal: -5, applied: 1 }, 'ledger_entries_direction'],
		[{ kind: 'reinstatement', nominal: -5 }, 'ledger_entries_direction'],
		[{ kind: 'rejection', nominal: 5 }, 'ledger_entries_direction'],
		[{ kind: 'gift', nominal: 5 }, 'ledger_entries_direction'],
		[{ kind: 'surplus', nominal: -5, applied: -4, commission: null, payout: 1 }, 'ledger_entries_direction'],
		[{ kind: 'reversal', nominal: -5.5, applied: -5 }, 'ledger_entries_whole_cents'],
		[{ kind: 'recovery', nominal: 5 }, 'ledger_entries_subject'],
		[{ kind: 'surplus', nominal: -5 }, 'ledger_entries_subject'],
		[{ kind: 'surplus', nominal: -5, commission: null }, 'ledger_entries_subject'],
		[{ kind: 'return', nominal: -5, commission: null, payout: 1 }, 'ledger_entries_direction'],
		[{ kind: 'return', nominal: 5, applied: 4, commission: null, payout: 1 }, 'ledger_entries_direction'],
		[{ kind: 'return', nominal: 5 }, 'ledger_entries_subject'],
		[{ kind: 'return', nominal: 5, commission: null }, 'ledger_entries_subject'],
		[{ kind: 'credit', nominal: 5, commission: null }, 'ledger_entries_subject'],
		[{ kind: 'payout', nominal: -5 }, 'ledger_entries_subject'],
	])('refuses %j', async (entry, error) => {
		const place = await aFunnel();
		const { commissionId } = await aSale(place);
		// An explicit null is kept; only a missing commission gets the default.
		await expect(enter(place, entry.commission === null ? null : commissionId, entry)).rejects.toThrow(error);
		expect(await balanceOf(place)).toBe(2_000);
	});

	test('refuses a rejection that does not deduct everything that is left', async () => {
		const place = await aFunnel();
		const { commissionId } = await aSale(place);
		await run("UPDATE commissions SET status = 'rejected', revision = revision + 1 WHERE id = ?", commissionId);
		const error = 'ledger_entries: the entry does not agree with its commission';
		await expect(enter(place, commissionId, { kind: 'rejection', nominal: -2_000, applied: -1_999 })).rejects.toThrow(error);
		await enter(place, commissionId, { kind: 'rejection', nominal: -2_000 });
		expect(await balanceOf(place)).toBe(0);
	});

	test("refuses entries beside a payout's commissions that do not match the payout", async () => {
		const place = await aFunnel();
		const other = { ...place, ...(await aPartner(place.owner, place.id)) };
		await aSale(place);
		const error = 'ledger_entries: the entry does not agree with its payout';
		const aPayout = async (surplusCents: number, recoveredCents: number) => {
			const payout = await aPayoutRow(place, { surplusCents, recoveredCents });
			return (kind: string, nominal: number, of: Partial<Entry> = {}) =>
				enter(place, null, { kind, nominal, commission: null, payout, ...of });
		};
		const paying = await aPayout(30, 0);
		for (const cents of [-29, -31, 30]) await expect(paying('surplus', cents), String(cents)).rejects.toThrow(error);
		await expect(paying('recovery', 30)).rejects.toThrow(error);
		await expect(paying('surplus', -30, { partner: other.partnerProgramId })).rejects.toThrow(error);
		await expect(paying('surplus', -30, { currency: 'EUR' })).rejects.toThrow(error);
		await paying('surplus', -30);
		await expect(paying('surplus', -30)).rejects.toThrow('UNIQUE');
		const recovering = await aPayout(0, 20);
		for (const cents of [19, 21]) await expect(recovering('recovery', cents), String(cents)).rejects.toThrow(error);
		await recovering('recovery', 20);
		await expect(paying('return', 30)).rejects.toThrow(error);
		await run(
			"UPDATE payouts SET failed_at = 1, failure_reason = 'closed' WHERE partner_program_id = ? AND amount_cents > 0",
			place.partnerProgramId,
		);
		for (const cents of [29, 31]) await expect(paying('return', cents), String(cents)).rejects.toThrow(error);
		await paying('return', 30);
		await expect(paying('return', 30)).rejects.toThrow('UNIQUE');
		await expect(recovering('recovery', 20)).rejects.toThrow('UNIQUE');
		expect(await balanceOf(place)).toBe(2_020);
	});

	test('is the only way to change a balance', async () => {
		const place = await aFunnel();
		await aSale(place);
		const { partnerProgramId: id } = place;
		const newcomer = await aPartner(place.owner, place.id);
		const [first] = await rows('SELECT id, balance_after_cents FROM ledger_entries WHERE partner_program_id = ?', id);
		await aSale(place);
		await expectRefused(
			'partner_program_balances: only the ledger moves a balance',
			['UPDATE partner_program_balances SET balance_cents = balance_cents + 1 WHERE partner_program_id = ?', id],
			['UPDATE partner_program_balances SET balance_cents = 1, last_entry_id = last_entry_id + 1 WHERE partner_program_id = ?', id],
			['DELETE FROM partner_program_balances WHERE partner_program_id = ?', id],
			["INSERT INTO partner_program_balances (partner_program_id, currency, balance_cents, last_entry_id) VALUES (?, 'EUR', 5, 1)", id],
			[
				"INSERT INTO partner_program_balances (partner_program_id, currency, balance_cents, last_entry_id) VALUES (?, 'USD', 5, 0)",
				newcomer.partnerProgramId,
			],
			[
				"INSERT OR REPLACE INTO partner_program_balances (partner_program_id, currency, balance_cents, last_entry_id) VALUES (?, 'USD', 5, 0)",
				id,
			],
			[
				"INSERT OR REPLACE INTO partner_program_balances (partner_program_id, currency, balance_cents, last_entry_id) VALUES (?, 'USD', ?, ?)",
				id,
				first?.['balance_after_cents'],
				first?.['id'],
			],
		);
		expect(await balanceOf(place)).toBe(4_000);
	});
});
