import type { PlantedFault } from './planted-fault.ts';

export const IN_REVERSALS: readonly PlantedFault[] = [
	{
		name: 'reversal: both doors added',
		why: 'a refund that the backend and the processor tell of counts twice',
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
		why: 'the cumulative amount of a charge is taken for a refund of its own',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: 'sum += Math.max(0, ...excesses);',
				replace: 'sum += sumOf(ofCharge);',
			},
		],
	},
	{
		name: 'reversal: undone only until it is told again',
		why: 'an older message brings a failed refund back',
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
		name: 'dispute: won once and for all',
		why: 'one that was won, and is lost after that, no longer counts',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: "return kind !== 'dispute' || stoodAt === null || undoneAt >= stoodAt;",
				replace: 'return true;',
			},
		],
	},
	{
		name: 'dispute: who comes last has the last word',
		why: 'the latest event to arrive counts, and not the latest to happen',
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
		name: 'dispute: it stands where it is won in the same moment',
		why: 'of two words of one second the worse counts',
		edits: [{ file: 'src/domain/refunds/refunded-amount.ts', find: 'undoneAt >= stoodAt;', replace: 'undoneAt > stoodAt;' }],
	},
	{
		name: 'dispute: its latest word is not kept',
		why: 'the sale moves, and the next event does not know why',
		edits: [{ file: 'src/payments/plan-settlement.ts', find: '			stood_at = excluded.stood_at, charge_id', replace: '			charge_id' }],
	},
	{
		name: 'reversal: a total is explained by refunds of another charge',
		why: 'of two charges of an invoice one is told by id and one by its total: the smaller is forgotten',
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
		why: 'a dispute in dollars counts as so many euros',
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
		why: 'a refund, tax included, is taken from the net sale as it is',
		edits: [
			{
				file: 'src/domain/refunds/refunded-amount.ts',
				find: '(sale.chargedCurrency ?? currency) === currency) return sale.chargedCents;',
				replace: '(sale.chargedCurrency ?? currency) === currency) return sale.amountCents;',
			},
		],
	},
	{
		name: 'reversal: what was told is not kept',
		why: 'the sale moves, and the next message does not know why',
		edits: [
			{
				file: 'src/payments/plan-settlement.ts',
				find: '			...(changed.length > 0 ? [keepReported(ctx, sale.id, changed)] : []),\n',
				replace: '',
			},
		],
	},
	{
		name: 'reversal: own work taken for an earlier one',
		why: '"unchanged" to the very event that reversed, after a lost answer',
		edits: [
			{
				file: 'src/payments/plan-reversal.ts',
				find: 'if (own) return planNothing(receiptOf(own));',
				replace: 'void [own, planNothing, receiptOf];',
			},
		],
	},
	{
		name: 'reversal: report not kept where it is known',
		why: 'what the endpoint tells second is forgotten, and a later report counts too little',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: 'return skipped(isReportedById(sale, request) ? SAME_REFUND_ID : REPORTED_BY_PROCESSOR, reportedRefundCents);',
				replace: 'return skipped(REPORTED_BY_PROCESSOR);',
			},
		],
	},
	{
		name: 'reinstatement: what was due, not what was taken',
		why: 'a clamped deduction is given back whole',
		edits: [
			{
				file: 'src/ledger/ledger.ts',
				find: '${reinstatedCents} - min(${reinstatedCents}, ${FORGIVEN}) AS applied',
				replace: '${reinstatedCents} - 0 * ${FORGIVEN} AS applied',
			},
		],
	},
	{
		name: 'reinstatement: what was forgiven of another sale',
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
		why: 'what reinstatements have withheld already is not counted',
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
		why: 'what was forgiven in another currency is withheld too',
		edits: [
			{
				file: 'src/ledger/ledger.ts',
				find: 'WHERE partner_program_id = c.partner_program_id AND currency = c.currency\n\t\tAND kind',
				replace: 'WHERE partner_program_id = c.partner_program_id\n\t\tAND kind',
			},
		],
	},
	{
		name: 'reinstatement: nobody says what was withheld',
		why: 'the notification tells the nominal amount alone',
		edits: [
			{
				file: 'src/db/withheld-cents.ts',
				find: 'SELECT e.nominal_cents - e.applied_cents FROM',
				replace: 'SELECT 0 FROM',
			},
		],
	},
	{
		name: 'reinstatement: never paid',
		why: 'a commission of which the rest was paid is payable again',
		edits: [
			{
				file: 'src/domain/refunds/reversal.ts',
				find: "const status = commission.paidAt === null ? stateBefore(commission) : 'paid';",
				replace: 'const status = stateBefore(commission);',
			},
		],
	},
	{
		name: 'stripe: a dispute stands since it was made',
		why: 'its creation is taken for the time of the event, so what follows a win is older than the win',
		edits: [
			{
				file: 'src/processor/stripe/disputes.ts',
				find: 'stoodAt: isUndone ? undefined : event.happenedAt,',
				replace: 'stoodAt: isUndone ? undefined : (dispute.created ?? 0) * 1000,',
			},
		],
	},
];
