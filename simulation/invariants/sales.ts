import { DAY_MS, dayIn, earning, expectedEarning, expectedRefund, halfUp } from '../world/oracle.ts';
import { partsOf } from '../world/oracle-of-carts.ts';
import type { CommissionRow, CustomerRow, SaleRow, ReportedReversalRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { LONGEST_REQUEST_MS, WORLD } from '../world/world.ts';
import { beginningsReported, carriesKeys, isTooLate, type ReportedBeginning } from './beginnings.ts';
import { deliveryBehind, paidAt } from './inbox.ts';
import { type RowInvariant, type WithRows, byId, grouped, type Invariant, violated } from './invariant.ts';

export const once: RowInvariant = {
	name: 'a transaction is recorded once, and earns once',
	reads: ['sales', 'commissions'],
	check: checkOnce,
};
export const earnings: Invariant = { name: 'a sale earns what the rules in force say', check: checkEarnings };
export const holds: Invariant = { name: 'a hold ends by time or by approval', check: checkHolds };
export const refunds: RowInvariant = {
	name: 'refunds of a sale add up and deduct in proportion',
	reads: ['sales', 'refunds', 'reportedReversals', 'commissions', 'entries'],
	check: checkRefunds,
};

function checkOnce({ rows }: WithRows): void {
	const seen = new Set<string>();
	for (const sale of rows.sales) {
		const { processor_event_id: id, is_test, id_scope, program_id } = sale;
		// Unique across programs, unless the id is scoped to its program.
		const keys = [`${id} ${is_test} of ${program_id}`, ...(id_scope === 0 ? [`${id} ${is_test}`] : [])];
		if (keys.some((key) => seen.has(key))) throw violated(once.name, `${id} is recorded twice`);
		for (const key of keys) seen.add(key);
	}
	const commissions = grouped(rows.commissions, (commission) => commission.sale_id);
	for (const sale of rows.sales) {
		const made = commissions.get(sale.id)?.length ?? 0;
		if (made !== (sale.commission_state === 'made' ? 1 : 0)) {
			throw violated(once.name, `sale ${sale.id} is ${sale.commission_state} and has ${made} commissions`);
		}
	}
}

/** Computed when the sale first appeared, because rules may change later. */
const expectations = new WeakMap<Simulation, Map<number, readonly string[]>>();

function checkEarnings(sim: Simulation): void {
	const known = expectations.get(sim) ?? new Map<number, readonly string[]>();
	expectations.set(sim, known);
	const commissions = new Map(sim.rows.commissions.map((commission) => [commission.sale_id, commission]));
	for (const sale of sim.rows.sales) {
		if (sale.is_test === 1) continue;
		// The sale was recorded and erased in the same step, so its lines are unknown.
		const isErased = sale.line_items === null && sale.decision_facts?.includes('"lines":') === true;
		if (isErased && !known.has(sale.id)) continue;
		const expected = known.get(sale.id) ?? expect(sim, sale);
		known.set(sale.id, expected);
		const actual = actualOf(sale, commissions.get(sale.id));
		if (!expected.includes(actual)) throw violated(earnings.name, `sale ${sale.id}: ${actual}; expected ${expected.join(' or ')}`);
	}
}

function expect(sim: Simulation, sale: SaleRow): readonly string[] {
	const program = WORLD.programs.find(({ id }) => id === sale.program_id);
	const customer = sim.rows.customers.find(({ id }) => id === sale.customer_id);
	if (!program || !customer || customer.clicked_at === null || sale.partner_program_id === null) {
		throw violated(earnings.name, `sale ${sale.id} has no attributed customer`);
	}
	const isInside = sale.inside_window === 1;
	if (!allowedWindows(sim, sale, customer, program.windowDays).includes(isInside))
		throw violated(earnings.name, `sale ${sale.id} is ${isInside ? 'outside' : 'inside'} the window, but says otherwise`);
	const { time_zone: zone = '' } = sim.rows.programs.find(({ id }) => id === program.id) ?? {};
	const saleDay = dayIn(zone, sale.created_at);
	if (saleDay !== sale.sale_day) throw violated(earnings.name, `sale ${sale.id} was made on ${saleDay}, but says ${sale.sale_day}`);
	const sold = {
		programId: sale.program_id,
		partnerProgramId: sale.partner_program_id,
		productId: sale.product_id,
		amountCents: sale.amount_cents,
		currency: sale.currency,
		soldAt: sale.created_at,
		saleDay,
		isInside,
		isProration: deliveryBehind(sim, sale.op_id)?.delivery.purchase.isProration === true,
		parts: program.rulesByLine && choosesByLine(sim, sale) ? partsIn(sale) : undefined,
	};
	const firstDay = firstDayBefore(sim, sale);
	return sim.circumstances.flatMap(({ rules }) =>
		sim.circumstances.map(({ memberships }) => expectedEarning({ ...sold, firstDay }, rules, memberships)),
	);
}

/** For one-time payments through Stripe and Paddle, lines do not select rules. */
function choosesByLine(sim: Simulation, sale: SaleRow): boolean {
	const payer = deliveryBehind(sim, sale.op_id)?.delivery.purchase.payer;
	return payer === undefined || payer.processor === 'custom' || payer.subscription !== undefined;
}

function partsIn({ product_id: productId, amount_cents: amountCents, line_items: lineItems }: SaleRow) {
	return partsOf({ productId, amountCents, lineItems });
}

/** Both values are allowed if an event may have been processed too late for the sale. */
function allowedWindows(sim: Simulation, sale: SaleRow, { clicked_at, coupon_id }: CustomerRow, windowDays: number): boolean[] {
	// A sale with its partner's coupon is always inside the window (decision 47).
	if (sale.coupon_id !== null) return [true];
	const clickedAt = clicked_at ?? 0;
	const soldAt = sim.journal.paymentOf(sale.op_id)?.params.paidAt ?? paidAt(sim, sale.op_id) ?? sale.created_at;
	if (isTooLate(clickedAt, soldAt)) throw violated(earnings.name, `sale ${sale.id} was paid before its customer's click`);
	const reported = beginningsReported(sim, sale);
	const earlier = reported.find(({ at, isSure }) => isSure && isTooLate(clickedAt, at));
	if (earlier && !(coupon_id !== null && firstDayBefore(sim, sale) !== undefined))
		throw violated(earnings.name, `sale ${sale.id} renews a subscription that began before its customer's click`);
	const trials = carriesKeys(sim, sale) ? reported.filter(({ isTrial }) => isTrial) : [];
	const isInside = (known: readonly ReportedBeginning[]) =>
		[soldAt, ...known.map(({ at }) => at)].some((instant) => instant - clickedAt <= windowDays * DAY_MS);
	return [isInside(trials.filter(({ isSure }) => isSure)), isInside(trials)];
}

/** The subscription's first day, if the sale renews it. */
function firstDayBefore(sim: Simulation, sale: SaleRow): string | undefined {
	if (sale.subscription_id === null) return undefined;
	const earlier = sim.rows.sales.filter(
		(other) =>
			other.id < sale.id &&
			other.is_test === 0 &&
			other.program_id === sale.program_id &&
			other.customer_id === sale.customer_id &&
			other.subscription_id === sale.subscription_id &&
			other.inside_window === 1,
	);
	return earlier.map(({ sale_day }) => sale_day).toSorted()[0];
}

function actualOf(sale: SaleRow, commission: CommissionRow | undefined): string {
	if (commission) return earning(commission.rule_version_id, commission.amount_cents, commission.hold_until);
	if (sale.commission_state === 'none') return `none ${sale.no_commission_reason}`;
	const owed: { ruleVersionId: number; amountCents: number; holdUntil: number } = JSON.parse(sale.owed_commission ?? '{}');
	return earning(owed.ruleVersionId, owed.amountCents, owed.holdUntil);
}

function checkHolds(sim: Simulation): void {
	const approved = new Set(
		sim.rows.audits
			.filter(({ action, commission_ids }) => action === 'commission.approve' && commission_ids !== null)
			.flatMap(({ commission_ids }): number[] => JSON.parse(commission_ids ?? '[]')),
	);
	for (const commission of sim.rows.commissions) {
		const wasPending = commission.status === 'pending' || commission.status_before_refund === 'pending';
		const isOver = commission.hold_until <= sim.now || approved.has(commission.id);
		const isReleased =
			commission.status === 'approved' || commission.status === 'paid' || (!wasPending && commission.status_before_refund !== null);
		if (isReleased && !isOver)
			throw violated(holds.name, `commission ${commission.id} is ${commission.status} before ${commission.hold_until}`);
		if (commission.status === 'pending' && approved.has(commission.id))
			throw violated(holds.name, `commission ${commission.id} was approved, but is pending`);
		// A payout has the date of its start, so it may include a sale that started later.
		const paidBy = commission.paid_at === null ? Infinity : commission.paid_at + LONGEST_REQUEST_MS;
		if (paidBy < commission.hold_until && !approved.has(commission.id)) {
			throw violated(holds.name, `commission ${commission.id} was paid during its hold`);
		}
	}
}

function checkRefunds({ rows }: WithRows): void {
	const ofSale = grouped(rows.refunds, (refund) => refund.sale_id);
	const reversals = grouped(rows.reportedReversals, (row) => row.sale_id);
	const commissions = new Map(rows.commissions.map((commission) => [commission.sale_id, commission]));
	const sales = byId(rows.sales);
	for (const sale of rows.sales) {
		const real = (ofSale.get(sale.id) ?? []).filter(({ is_test }) => is_test === 0);
		const sum = real.reduce((total, refund) => total + (refund.outcome === 'reinstated' ? -1 : 1) * refund.amount_cents, 0);
		const due = refundDue(sale, reversals.get(sale.id) ?? []);
		if (sum !== sale.refunded_cents || due !== sum) {
			throw violated(
				refunds.name,
				`sale ${sale.id} of ${sale.amount_cents} says ${sale.refunded_cents} is refunded, its refunds say ${sum}, its reported reversals ${due}`,
			);
		}
		const ids = real.filter(({ source }) => source === 'endpoint').map(({ refund_id }) => refund_id);
		if (new Set(ids).size !== ids.length) throw violated(refunds.name, `sale ${sale.id} has two refunds with one id`);
		if (ids.includes(null) && ids.length > 1) throw violated(refunds.name, `sale ${sale.id} has a refund without id and others`);
		const commission = commissions.get(sale.id);
		if (commission) checkDeduction(sale, commission);
	}
	for (const refund of rows.refunds) {
		const sale = sales.get(refund.sale_id);
		if (sale?.program_id !== refund.program_id || sale.is_test !== refund.is_test)
			throw violated(refunds.name, `refund ${refund.id} belongs to a sale of another program or mode`);
		if (refund.deduction_cents === null || refund.outcome === 'skipped') continue;
		const [kind, sign] = refund.outcome === 'reinstated' ? ['reinstatement', 1] : ['reversal', -1];
		const entry = rows.entries.find((candidate) => candidate.kind === kind && candidate.operation === refund.op_id);
		if (entry?.nominal_cents !== sign * refund.deduction_cents)
			throw violated(refunds.name, `refund ${refund.id} says ${refund.deduction_cents}, its entry ${entry?.nominal_cents}`);
	}
}

/** A duplicate is refunded in full; otherwise the reported reversals decide. */
function refundDue(sale: SaleRow, reversals: readonly ReportedReversalRow[]): number {
	if (sale.duplicate_of_sale_id !== null) return sale.amount_cents;
	const { amount_cents: amountCents, currency, charged_cents: chargedCents, reported_refund_cents: reportedCents } = sale;
	const { charged_currency: chargedCurrency } = sale;
	return expectedRefund({ amountCents, currency, chargedCents, chargedCurrency, reportedCents }, reversals);
}

function checkDeduction(sale: SaleRow, commission: CommissionRow): void {
	const isLate = commission.status === 'rejected';
	const due = halfUp(commission.amount_cents, sale.refunded_cents, sale.amount_cents);
	if (!isLate && commission.deducted_cents !== due) {
		throw violated(
			refunds.name,
			`commission ${commission.id} of ${commission.amount_cents}: ${sale.refunded_cents} of ${sale.amount_cents} refunded, ${commission.deducted_cents} deducted, should be ${due}`,
		);
	}
	const says = commission.status === 'reversed' || commission.status === 'refunded';
	if (says !== (sale.refunded_cents > 0 && !isLate))
		throw violated(refunds.name, `commission ${commission.id} is ${commission.status}, but ${sale.refunded_cents} of its sale is refunded`);
	if (commission.status === 'reversed' && sale.refunded_cents !== sale.amount_cents)
		throw violated(refunds.name, `commission ${commission.id} is reversed, but its sale is only partly refunded`);
	if (!says && !isLate && (commission.status === 'paid') !== (commission.paid_at !== null))
		throw violated(refunds.name, `commission ${commission.id} is ${commission.status}, paid at ${commission.paid_at}`);
}
