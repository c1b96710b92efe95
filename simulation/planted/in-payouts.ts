import type { PlantedFault } from './planted-fault.ts';

export const IN_PAYOUTS: readonly PlantedFault[] = [
	{
		name: 'payout ignores the debt',
		why: 'what the commissions have left is paid, whatever the balance',
		edits: [
			{
				file: 'src/partners/write-payouts.ts',
				find: 'min(due.rest, max(coalesce(b.balance_cents, 0), 0)) AS paid',
				replace: 'due.rest AS paid',
			},
		],
	},
	{
		name: 'payout of the whole commission',
		why: 'what was deducted is paid all the same',
		edits: [
			{
				file: 'src/partners/write-payouts.ts',
				find: 'sum(c.amount_cents - c.deducted_cents) AS rest',
				replace: 'sum(c.amount_cents) AS rest',
			},
		],
	},
	{
		name: 'paid twice',
		why: 'a payout is not held to the revision it read, and what is paid stays payable',
		edits: [
			{ file: 'src/partners/write-payouts.ts', find: 'revision = chosen.value ->> 1 + 1', replace: 'revision = revision + 1' },
			{
				file: 'migrations/0001_invariants.sql',
				find: '	OR (OLD.paid_at IS NOT NULL AND (NEW.paid_at IS NOT OLD.paid_at OR NEW.payout_id IS NOT OLD.payout_id))',
				replace: '',
			},
		],
	},
	{
		name: 'payout: own work not recognised',
		why: '409 to the very request that paid, after a lost answer',
		edits: [{ file: 'src/partners/pay-commissions.ts', find: 'if (own.length > 0) return own;', replace: '' }],
	},
	{
		name: 'payout of any program',
		why: 'commissions are found by id alone',
		edits: [{ file: 'src/partners/chosen-commissions.ts', find: 'eq(commissions.programId, programId), ', replace: '' }],
	},
	{
		name: 'rest paid during its hold',
		why: 'a partial refund ends the hold',
		edits: [
			{
				file: 'src/domain/payout.ts',
				find: "if (commission.statusBeforeRefund === 'pending' && commission.holdUntil > now)",
				replace: 'if (false as boolean)',
			},
		],
	},
	{
		name: 'minimum not asked again',
		why: 'the balance falls between read and write, and less than the minimum is paid',
		edits: [{ file: 'src/partners/write-payouts.ts', find: 'CASE WHEN paid >= ${plan.minimumCents} THEN paid END', replace: 'paid' }],
	},
	{
		name: 'rejection without the ledger',
		why: 'the status changes, the credit stays',
		edits: [{ file: 'src/partners/reject-commissions.ts', find: '			takeBack(ctx, operation, ids),\n', replace: '' }],
	},
	{
		name: 'rejection leads into debt',
		why: 'the credit is taken back without the clamp',
		edits: [
			{
				file: 'src/partners/reject-commissions.ts',
				find: 'max(coalesce(b.balance_cents, 0), 0) AS room',
				replace: '1e15 AS room',
			},
		],
	},
	{
		name: 'commissions: trigger on revision missing',
		why: 'an approval, rejection or refund overwrites what came between',
		edits: [
			{
				file: 'migrations/0001_invariants.sql',
				find: 'CREATE TRIGGER commissions_revised BEFORE UPDATE ON commissions WHEN NEW.revision <> OLD.revision + 1 BEGIN',
				replace: 'CREATE TRIGGER commissions_revised BEFORE UPDATE ON commissions WHEN 0 BEGIN',
			},
		],
	},
];
