import type { PlantedFault } from './planted-fault.ts';

const SURPLUS = `coalesce(b.balance_cents, 0) - coalesce((
				SELECT sum(c.amount_cents - c.deducted_cents) FROM commissions c
				WHERE c.program_id = \${plan.programId} AND c.partner_program_id = due.partner_program_id AND c.currency = due.currency AND \${IS_UNPAID}
			), 0) AS surplus`;
const MINIMUM_ASKED =
	'CASE WHEN max(rest + surplus, 0) >= ${minimumOfRow(plan)} AND (commissions > 0 OR surplus > 0) THEN max(rest + surplus, 0) END';

export const IN_PAYOUTS: readonly PlantedFault[] = [
	{
		name: 'failed payouts stay on their way',
		why: 'a payout that failed stays in the sums that the money pages show',
		edits: [
			{
				file: 'migrations/0093_payout_sums.sql',
				find: 'SET payouts = payouts - 1, amount_cents = amount_cents - OLD.amount_cents',
				replace:
					'SET payouts = payouts - (NEW.failed_at IS NULL), amount_cents = amount_cents - iif(NEW.failed_at IS NULL, OLD.amount_cents, 0)',
			},
		],
	},
	{
		name: 'payout ignores the debt',
		why: 'the rest of the commissions is paid, whatever the debt',
		edits: [
			{ file: 'src/payouts/write-payouts.ts', find: 'min(rest, max(-surplus, 0)),', replace: '0,' },
			{ file: 'src/payouts/write-payouts.ts', find: 'THEN max(rest + surplus, 0) END', replace: 'THEN rest + max(surplus, 0) END' },
		],
	},
	{
		name: 'debt hidden by credits on hold',
		why: 'credits on hold raise the balance, but can still be refunded',
		edits: [
			{
				file: 'src/payouts/write-payouts.ts',
				find: SURPLUS,
				replace: 'min(coalesce(b.balance_cents, 0) - due.rest, 0) AS surplus',
			},
		],
	},
	{
		name: 'surplus from the balance',
		why: 'the rest of unpaid commissions is not subtracted',
		edits: [{ file: 'src/payouts/write-payouts.ts', find: SURPLUS, replace: 'coalesce(b.balance_cents, 0) AS surplus' }],
	},
	{
		name: 'surplus includes credits on hold',
		why: 'credits on hold count as surplus and are paid early',
		edits: [
			{
				file: 'src/payouts/write-payouts.ts',
				find: 'AND c.currency = due.currency AND ${IS_UNPAID}',
				replace: "AND c.currency = due.currency AND ${IS_UNPAID} AND c.status <> 'pending'",
			},
		],
	},
	{
		name: 'surplus paid twice',
		why: 'the payout records it but the ledger does not, so the next payout pays it again',
		edits: [{ file: 'src/payouts/write-payouts.ts', find: 'WHERE moved <> 0`', replace: 'WHERE moved > 0`' }],
	},
	{
		name: 'surplus never paid',
		why: 'what a won dispute reinstated after the payment stays in the balance forever',
		edits: [
			{ file: 'src/payouts/write-payouts.ts', find: 'rest + max(surplus, 0), max(surplus, 0),', replace: 'rest, 0,' },
			{
				file: 'src/payouts/write-payouts.ts',
				find: 'THEN max(rest + surplus, 0) END',
				replace: 'THEN max(min(rest, rest + surplus), 0) END',
			},
		],
	},
	{
		name: 'surplus without a commission never paid',
		why: 'only accounts with payable commissions are considered',
		edits: [
			{
				file: 'src/domain/payouts/payout.ts',
				find: 'paid.filter(({ commissions }) => commissions.length === 0)',
				replace: 'paid.slice(0, 0)',
			},
		],
	},
	{
		name: 'rest on hold reported as available',
		why: 'the rest of a refunded commission counts as payable',
		edits: [{ file: 'src/ledger/balances.ts', find: 'c.hold_until > ${now}', replace: 'c.hold_until < 0' }],
	},
	{
		name: 'payout of the whole commission',
		why: 'deductions are ignored',
		edits: [
			{
				file: 'src/payouts/write-payouts.ts',
				find: 'sum(c.amount_cents - c.deducted_cents) AS rest',
				replace: 'sum(c.amount_cents) AS rest',
			},
		],
	},
	{
		name: 'paid twice',
		why: 'a payout does not check the revision, and paid commissions stay payable',
		edits: [
			{ file: 'src/payouts/write-payouts.ts', find: 'revision = selected.value ->> 1 + 1', replace: 'revision = revision + 1' },
			{
				file: 'migrations/0028_commissions_in_fewer_rows.sql',
				find: '	OR (OLD.paid_at IS NOT NULL AND (NEW.paid_at IS NOT OLD.paid_at OR NEW.payout_id IS NOT OLD.payout_id))',
				replace: '',
			},
		],
	},
	{
		name: 'payout: own write not recognised',
		why: 'after a lost answer, the request that paid gets 409',
		edits: [{ file: 'src/payouts/pay-commissions.ts', find: 'if (own.length > 0) return own;', replace: '' }],
	},
	{
		name: 'payout of any program',
		why: 'commissions are found by id alone',
		edits: [{ file: 'src/commissions/selected-commissions.ts', find: 'unindexed(commissions.programId, programId), ', replace: '' }],
	},
	{
		name: 'rest paid during its hold',
		why: 'a partial refund ends the hold',
		edits: [
			{
				file: 'src/domain/payouts/payout.ts',
				find: "if (commission.statusBeforeRefund === 'pending' && commission.holdUntil > now)",
				replace: 'if (false as boolean)',
			},
		],
	},
	{
		name: 'minimum not checked in the write',
		why: 'the balance falls between read and write, so less than the minimum is paid',
		edits: [{ file: 'src/payouts/write-payouts.ts', find: MINIMUM_ASKED, replace: 'max(rest + surplus, 0)' }],
	},
	{
		name: 'failed payout returns nothing',
		why: 'its commissions stay paid, but nobody has the money',
		edits: [{ file: 'src/payouts/mark-failed.ts', find: '			giveBack(ctx, payoutId, operation),\n', replace: '' }],
	},
	{
		name: 'failed payout returns its amount twice',
		why: 'two concurrent requests each return its amount',
		edits: [
			{ file: 'migrations/0038_payouts_sent_or_failed.sql', find: 'AND OLD.failed_at IS NULL AND CASE', replace: 'AND CASE' },
			{
				file: 'migrations/0038_payouts_sent_or_failed.sql',
				find: 'CREATE UNIQUE INDEX `ledger_entries_once_beside`',
				replace: 'CREATE INDEX `ledger_entries_once_beside`',
			},
		],
	},
	{
		name: 'sent after it failed',
		why: 'the amount was returned and is paid too',
		edits: [
			{
				file: 'src/domain/payouts/payout-state.ts',
				find: "if (status === 'made') return",
				replace: "if (status === 'made' || status === 'failed') return",
			},
			{
				file: 'migrations/0038_payouts_sent_or_failed.sql',
				find: 'WHEN NOT (OLD.amount_cents > 0 AND',
				replace: 'WHEN 0 AND NOT (OLD.amount_cents > 0 AND',
			},
		],
	},
	{
		name: 'mark of a payout: own write not recognised',
		why: 'after a lost answer, the request that marked it gets 409',
		edits: [
			{
				file: 'src/payouts/mark-payouts.ts',
				find: 'if (attempt > 1 && (await isCommitted(ctx, program.workspaceId, operation))) return marked;',
				replace: '',
			},
		],
	},
	{
		name: 'rejection without the ledger',
		why: 'the status changes, but the credit stays',
		edits: [
			{
				file: 'src/commissions/reject-commissions.ts',
				find: '		takeBack(\n			ctx,\n			operation,\n			selected.map(({ id }) => id),\n		),\n',
				replace: '',
			},
		],
	},
	{
		name: 'rejection clamped',
		why: 'it stops at zero like a refund, and so forgives a debt',
		edits: [
			{
				file: 'src/commissions/reject-commissions.ts',
				find: "'rejection', id, -rest, -rest, balance - due,",
				replace:
					"'rejection', id, -rest, min(due - rest, max(balance, 0)) - min(due, max(balance, 0)), balance - min(due, max(balance, 0)),",
			},
			{ file: 'migrations/0038_payouts_sent_or_failed.sql', find: ' AND NEW.applied_cents = NEW.nominal_cents', replace: '' },
		],
	},
	{
		name: 'commissions: trigger on revision missing',
		why: 'an approval, rejection or refund overwrites a concurrent change',
		edits: [
			{
				file: 'migrations/0028_commissions_in_fewer_rows.sql',
				find: 'CREATE TRIGGER commissions_revised BEFORE UPDATE ON commissions WHEN NEW.revision <> OLD.revision + 1 BEGIN',
				replace: 'CREATE TRIGGER commissions_revised BEFORE UPDATE ON commissions WHEN 0 BEGIN',
			},
		],
	},
];
