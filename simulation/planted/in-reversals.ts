import type { PlantedFault } from './planted-fault.ts';

export const IN_REVERSALS: readonly PlantedFault[] = [
	{
		name: 'reversal: both sources added',
		why: 'a refund that the backend and the processor report counts twice',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'Math.max(0, sale.reportedRefundCents - ever)',
				replace: 'sale.reportedRefundCents',
			},
		],
	},
	{
		name: 'reversal: totals added up',
		why: "a charge's cumulative amount counts as another refund",
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'sum += Math.max(0, ...excesses);',
				replace: 'sum += sumOf(ofCharge);',
			},
		],
	},
	{
		name: 'reversal: undone only until it is reported again',
		why: 'an older message restores a failed refund',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'undoneAt: lastWord([known.undoneAt, again.undoneAt]),',
				replace: 'undoneAt: again.undoneAt,',
			},
			{
				file: 'migrations/0025_payment_ids_in_fewer_rows.sql',
				find: ' OR (OLD.undone_at IS NOT NULL AND NEW.undone_at IS NULL)',
				replace: '',
			},
		],
	},
	{
		name: 'dispute: a win is final',
		theme: 'debts',
		why: 'a dispute that is lost after a win no longer counts',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: "return kind !== 'dispute' || stoodAt === null || undoneAt >= stoodAt;",
				replace: 'return true;',
			},
		],
	},
	{
		name: 'dispute: the last event to arrive wins',
		theme: 'processors',
		why: 'the latest arrival counts, not the latest event',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'stoodAt: greatestOf([known.stoodAt, again.stoodAt]),',
				replace: 'stoodAt: again.stoodAt,',
			},
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'undoneAt: lastWord([known.undoneAt, again.undoneAt]),',
				replace: "undoneAt: known.kind === 'dispute' ? again.undoneAt : leastOf([known.undoneAt, again.undoneAt]),",
			},
			{
				file: 'migrations/0025_payment_ids_in_fewer_rows.sql',
				find: ' OR (OLD.undone_at IS NOT NULL AND NEW.undone_at IS NULL)',
				replace: '',
			},
		],
	},
	{
		name: 'dispute: it counts although it is won at the same instant',
		theme: 'processors',
		why: 'of two events in one second, the worse counts',
		edits: [{ file: 'src/domain/refunds/refunded-amount.ts', find: 'undoneAt >= stoodAt;', replace: 'undoneAt > stoodAt;' }],
	},
	{
		name: 'dispute: its latest state is not stored',
		theme: 'debts',
		why: 'the sale changes, but the next event does not know why',
		edits: [{ file: 'src/payments/plan-settlement.ts', find: '			stood_at = excluded.stood_at, charge_id', replace: '			charge_id' }],
	},
	{
		name: 'reversal: a total is explained by refunds of another charge',
		why: 'if an invoice has two charges, one refunded by id and one by total, the smaller is ignored',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'refunds.filter(({ chargeId }) => chargeId === null || chargeId === charge)',
				replace: 'refunds',
			},
		],
	},
	{
		name: 'reversal: a share of what was charged in another currency',
		why: 'a dispute in dollars counts as the same amount in euros',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'sale.chargedCents !== null && (sale.chargedCurrency ?? currency) === currency',
				replace: 'sale.chargedCents !== null',
			},
		],
	},
	{
		name: 'reversal: share of the sale, not of the charge',
		why: 'a refund with tax is deducted from the net sale',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: '(sale.chargedCurrency ?? currency) === currency) return sale.chargedCents;',
				replace: '(sale.chargedCurrency ?? currency) === currency) return sale.amountCents;',
			},
		],
	},
	{
		name: 'reversal: reports are not stored',
		why: 'the sale changes, but the next message does not know why',
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: '			...(changed.length > 0 ? [keepReported(ctx, sale.id, changed)] : []),\n',
				replace: '',
			},
		],
	},
	{
		name: 'reversal: own write taken for an earlier one',
		why: 'after a lost answer, the event that reversed gets "unchanged"',
		edits: [
			{
				file: 'src/payments/plan-reversal.ts',
				find: 'if (own) return planNothing(receiptOf(own));',
				replace: 'void [own, planNothing, receiptOf];',
			},
		],
	},
	{
		name: 'reversal: a known report is not stored',
		why: "the endpoint's second report is lost, so a later one counts too little",
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: 'return skipped(isReportedById(sale, request) ? SAME_REFUND_ID : REPORTED_BY_PROCESSOR, reportedRefundCents);',
				replace: 'return skipped(REPORTED_BY_PROCESSOR);',
			},
		],
	},
	{
		name: 'reinstatement: the amount due, not the amount deducted',
		theme: 'debts',
		why: 'a clamped deduction is reinstated in full',
		edits: [
			{
				file: 'src/ledger/ledger.ts',
				find: '${reinstatedCents} - min(${reinstatedCents}, ${FORGIVEN}) AS applied',
				replace: '${reinstatedCents} - 0 * ${FORGIVEN} AS applied',
			},
		],
	},
	{
		name: "reinstatement: ignores what another sale's clamp forgave",
		theme: 'debts',
		why: 'only the clamps of the commission itself count, so a forgiven debt is paid a second time',
		edits: [
			{
				file: 'src/ledger/ledger.ts',
				find: "AND kind IN ('reversal', 'reinstatement') AND applied_cents <> nominal_cents",
				replace: "AND kind IN ('reversal', 'reinstatement') AND applied_cents <> nominal_cents AND commission_id = c.id",
			},
		],
	},
	{
		name: 'reinstatement: withheld twice',
		theme: 'debts',
		why: 'earlier withholding is not counted',
		edits: [
			{
				file: 'src/ledger/ledger.ts',
				find: "AND kind IN ('reversal', 'reinstatement') AND applied_cents <> nominal_cents",
				replace: "AND kind = 'reversal' AND applied_cents <> nominal_cents",
			},
		],
	},
	{
		name: 'reinstatement: withheld for another account',
		theme: 'debts',
		why: 'what was forgiven in another currency is also withheld',
		edits: [
			{
				file: 'src/ledger/ledger.ts',
				find: 'WHERE partner_program_id = c.partner_program_id AND currency = c.currency\n\t\tAND kind',
				replace: 'WHERE partner_program_id = c.partner_program_id\n\t\tAND kind',
			},
		],
	},
	{
		name: 'reinstatement: the withheld amount is not reported',
		theme: 'debts',
		why: 'the notification has only the nominal amount',
		edits: [
			{
				file: 'src/db/withheld-cents.ts',
				find: 'SELECT e.nominal_cents - e.applied_cents FROM',
				replace: 'SELECT 0 FROM',
			},
		],
	},
	{
		name: 'reinstatement: payable again',
		theme: 'debts',
		why: 'a commission whose rest was paid is payable again',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: "const status = commission.paidAt === null ? stateBefore(commission) : 'paid';",
				replace: 'const status = stateBefore(commission);',
			},
		],
	},
	{
		name: 'stripe: a dispute is dated by its creation',
		why: "its creation counts as the event's time, so a loss after a win is older than the win",
		edits: [
			{
				file: 'src/processor/stripe/disputes.ts',
				find: 'stoodAt: isUndone ? undefined : event.happenedAt,',
				replace: 'stoodAt: isUndone ? undefined : (dispute.created ?? 0) * 1000,',
			},
		],
	},
];
