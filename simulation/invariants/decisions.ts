import type { Earning } from '../../src/domain/commissions/commission.ts';
import { factsOf, recompute } from '../../src/domain/commissions/decision-facts.ts';
import type { CommissionRow, SaleRow } from '../world/rows.ts';
import { type RowInvariant, type WithRows, byId, violated } from './invariant.ts';

/** Holds even if rules, the window or the partner's status have changed since. */
export const decisions: RowInvariant = {
	name: 'the stored facts of a decision reproduce what the sale earned',
	reads: ['sales', 'commissions', 'customers'],
	check: checkDecisions,
};

function checkDecisions({ rows }: WithRows): void {
	const commissions = new Map(rows.commissions.map((commission) => [commission.sale_id, commission]));
	const customers = byId(rows.customers);
	for (const sale of rows.sales) {
		const facts = factsOf(sale.decision_facts);
		if (!facts) {
			if (sale.is_test === 0) throw violated(decisions.name, `sale ${sale.id} has no facts: ${sale.decision_facts}`);
			continue;
		}
		const { insideWindow, earning } = recompute(facts);
		const [recomputed, stored] = [wordsOf(insideWindow, earning), storedWords(sale, commissions.get(sale.id))];
		if (recomputed !== stored) throw violated(decisions.name, `sale ${sale.id}: ${stored}; its facts say ${recomputed}`);
		checkLines(sale, earning);
		const clickedAt = customers.get(sale.customer_id ?? 0)?.clicked_at ?? facts.clickedAt;
		const same = [
			[facts.amountCents, sale.amount_cents],
			[facts.currency, sale.currency],
			[facts.soldAt, sale.created_at],
			[facts.saleDay, sale.sale_day],
			[facts.clickedAt, clickedAt],
		];
		for (const [fact, row] of same)
			if (fact !== row) throw violated(decisions.name, `sale ${sale.id}: its facts say ${fact}, its rows ${row}`);
	}
}

/** The lines add up to the sale, and their earnings to the commission (decision 53). */
function checkLines(sale: SaleRow, earning: Earning): void {
	const { lines }: { lines?: readonly (readonly [rule: number | null, base: number, earned: number])[] } = JSON.parse(
		sale.decision_facts ?? '{}',
	);
	if (!lines) return;
	const [base, earned] = lines.reduce(([all, sum], [, cents, got]) => [all + cents, sum + got], [0, 0]);
	const due = earning.kind === 'earned' ? earning.amountCents : 0;
	if (base !== sale.amount_cents || earned !== due)
		throw violated(decisions.name, `sale ${sale.id} of ${sale.amount_cents} earned ${due}; its lines are ${JSON.stringify(lines)}`);
}

function wordsOf(insideWindow: boolean, earning: Earning): string {
	const window = insideWindow ? 'inside' : 'outside';
	if (earning.kind === 'none') return `${window}, ${earning.reason}`;
	const { ruleVersionId, amountCents, holdUntil } = earning;
	return `${window}, ${amountCents} by rule version ${ruleVersionId}, held until ${holdUntil}`;
}

function storedWords(sale: SaleRow, commission: CommissionRow | undefined): string {
	const owed: { ruleVersionId: number; amountCents: number; holdUntil: number } = JSON.parse(sale.owed_commission ?? '{}');
	const made = commission && {
		ruleVersionId: commission.rule_version_id,
		amountCents: commission.amount_cents,
		holdUntil: commission.hold_until,
	};
	const window = sale.inside_window === 1 ? 'inside' : 'outside';
	if (sale.commission_state === 'none') return `${window}, ${sale.no_commission_reason}`;
	const { ruleVersionId, amountCents, holdUntil } = made ?? owed;
	return `${window}, ${amountCents} by rule version ${ruleVersionId}, held until ${holdUntil}`;
}
