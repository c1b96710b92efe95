import type { PlantedFault } from './planted-fault.ts';

export const IN_REFUNDS: readonly PlantedFault[] = [
	{
		name: 'naive clamp',
		why: 'max(0, balance - deduction) raises a debt to zero',
		edits: [
			{
				file: 'src/ledger/ledger.ts',
				find: '-min(${deductionCents}, max(coalesce(b.balance_cents, 0), 0))',
				replace: 'max(0, coalesce(b.balance_cents, 0) - ${deductionCents}) - coalesce(b.balance_cents, 0)',
			},
			{
				file: 'migrations/0038_payouts_sent_or_failed.sql',
				find: `WHEN 'reversal' THEN "__new_ledger_entries"."applied_cents" BETWEEN "__new_ledger_entries"."nominal_cents" AND 0`,
				replace: `WHEN 'reversal' THEN 1`,
			},
		],
	},
	{
		name: 'no clamp',
		why: 'a refund of an unpaid commission deducts everything, even below zero',
		edits: [{ file: 'src/ledger/ledger.ts', find: 'CASE WHEN c.paid_at IS NULL THEN', replace: 'CASE WHEN 0 THEN' }],
	},
	{
		name: 'paid commission clamped',
		why: 'it is not checked whether it was paid',
		edits: [{ file: 'src/ledger/ledger.ts', find: 'CASE WHEN c.paid_at IS NULL THEN', replace: 'CASE WHEN 1 THEN' }],
	},
	{
		name: 'deduction rounded down',
		why: 'floor instead of half up',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: 'return proportionOf(commission.amountCents, refundedCents, saleCents) - commission.deductedCents;',
				replace: 'return Math.floor((commission.amountCents * refundedCents) / saleCents) - commission.deductedCents;',
			},
		],
	},
	{
		name: 'deductions rounded one by one',
		why: 'each refund is rounded alone, so the parts do not sum up to the whole',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: 'changeOf(commission, outcome, deductionOf(commission, refundedCents, sale.amountCents))',
				replace:
					'changeOf(commission, outcome, Math.min(proportionOf(commission.amountCents, amountCents, sale.amountCents), commission.amountCents - commission.deductedCents))',
			},
		],
	},
	{
		name: 'second refund not skipped',
		why: 'a refund without id is not recognised',
		edits: [{ file: 'src/domain/refunds/reversal.ts', find: 'if (sale.hasRefundWithoutId)', replace: 'if (false as boolean)' }],
	},
	{
		name: 'refund above the sale',
		why: 'the amount is not limited to what is left',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: 'Math.min(sale.reportedRefundCents + (request.amountCents ?? sale.amountCents), sale.amountCents)',
				replace: 'sale.reportedRefundCents + (request.amountCents ?? sale.amountCents - sale.reportedRefundCents)',
			},
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'return Math.min(sale.amountCents, netRefunded + reportedBeyond);',
				replace: 'return netRefunded + reportedBeyond;',
			},
		],
	},
	{
		name: 'refund: lost update',
		why: 'the sale is updated without a revision check',
		edits: [
			{
				file: 'src/refunds/write-movement.ts',
				find: '.set(facts)',
				replace: '.set({ ...facts, revision: sql`revision + 1` })',
			},
			{
				file: 'src/refunds/write-movement.ts',
				find: '.set(changed)',
				replace: '.set({ ...changed, revision: sql`revision + 1` })',
			},
			{ file: 'src/refunds/write-movement.ts', find: 'import { eq } from', replace: 'import { eq, sql } from' },
		],
	},
	{
		name: 'refund of any program',
		why: "the lookup is not limited to the key's program",
		edits: [
			{
				file: 'src/refunds/reverse-sale.ts',
				find: '				eq(affiliateSaleEvents.programId, ASKING_PROGRAM),\n',
				replace: '',
			},
		],
	},
	{
		name: 'refund: own write taken for an earlier one',
		why: 'after a lost answer, the request that refunded gets "skipped"',
		edits: [{ file: 'src/refunds/reverse-sale.ts', find: 'if (sale.own) return', replace: 'if (false as boolean) return' }],
	},
	{
		name: 'refund: ledger in a second batch',
		why: 'the commission changes before the ledger',
		edits: [
			{
				file: 'src/refunds/reverse-sale.ts',
				find: 'if (writes.length > 0) await write(ctx.db, [...writes, ...noteKeyUse(ctx, program)]);',
				replace: `const [moved] = plan.outcome === 'reversed' || plan.outcome === 'refunded' ? writes.splice(3, 1) : [];
				await write(ctx.db, writes);
				if (moved) await write(ctx.db, [moved]);`,
			},
		],
	},
	{
		name: 'refund of a rejected commission not recorded',
		why: 'nothing is reversed and the sale does not change, so net revenue is too high',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: 'if (refusal) return skipped(ALREADY_REJECTED);',
				replace: 'if (true as boolean) return skipped(ALREADY_REJECTED);',
			},
		],
	},
	{
		name: 'reinstatement after the rejection',
		why: 'a failed refund reinstates its deduction, although the rest was rejected since',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: ": { outcome: 'reinstated', ...moved, change: undefined };",
				replace:
					": { outcome: 'reinstated', ...moved, change: commission && { commission, status: 'rejected', statusBeforeRefund: null, deductionCents: commission.deductedCents } };",
			},
		],
	},
	{
		name: 'repair ignores the refunds',
		why: 'a commission is created in full for a refunded sale',
		edits: [{ file: 'src/sales/repair-commissions.ts', find: '...(sale.refundedCents > 0 ?', replace: '...(sale.refundedCents < 0 ?' }],
	},
	{
		name: 'repair not guarded',
		why: 'a refund between its read and its write is missed',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'owedCommission: null, revision: sale.revision + 1',
				replace: 'owedCommission: null, revision: sql`revision + 1`',
			},
		],
	},
	{
		name: 'repair with a new hold',
		why: 'the hold starts at the repair, not at the sale',
		edits: [
			{
				file: 'src/sales/repair-commissions.ts',
				find: 'const owed = Owed.parse(JSON.parse(sale.owed));',
				replace:
					'const parsed = Owed.parse(JSON.parse(sale.owed)); const owed = { ...parsed, holdUntil: Math.max(parsed.holdUntil, ctx.now) };',
			},
		],
	},
	{
		name: 'warning by the clock',
		why: 'two clocks decide whether the refund or the payout was first (found by this simulation)',
		edits: [
			{
				file: 'src/notifications/write-notifications.ts',
				find: `CROSS JOIN ledger_entries payout ON payout.commission_id = c.id AND payout.kind = 'payout'`,
				replace: '',
			},
			{
				file: 'src/notifications/write-notifications.ts',
				find: 'AND payout.id < reversal.id',
				replace: 'AND c.paid_at <= r.created_at',
			},
		],
	},
];
