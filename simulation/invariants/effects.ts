import type { MetricRow, OutboxRow, Rows } from '../rows.ts';
import type { Simulation } from '../simulation.ts';
import { WORLD } from '../world.ts';
import { type BookInvariant, type Books, byId, type Invariant, violated } from './invariant.ts';

// The outbox: a row for each thing that happened, and each row's effect exactly once.

export const announcements: BookInvariant = {
	name: 'what happened is in the outbox, once',
	reads: ['sales', 'refunds', 'payouts', 'commissions', 'outbox'],
	check: checkAnnouncements,
};
export const metrics: BookInvariant = {
	name: 'metrics are the sum of the effects that are done',
	reads: ['sales', 'refunds', 'commissions', 'outbox', 'entries', 'metrics'],
	check: checkMetrics,
};
export const notifications: Invariant = { name: 'who is concerned is told, once', check: checkNotifications };

function checkAnnouncements({ rows }: Books): void {
	const due: string[] = [];
	for (const sale of rows.sales) if (sale.is_test === 0) due.push(`sale_recorded ${sale.id}`);
	for (const refund of rows.refunds) if (refund.is_test === 0 && refund.outcome !== 'skipped') due.push(`sale_refunded ${refund.id}`);
	for (const payout of rows.payouts) due.push(`payout_made ${payout.id}`);
	for (const commission of rows.commissions) {
		due.push(`commission_created ${commission.id}`);
		if (commission.status === 'rejected') due.push(`commission_rejected ${commission.id}`);
	}
	const announced = rows.outbox.map((row) => `${row.kind} ${row.subject_id}`);
	const [wanted, found] = [due.toSorted(), announced.toSorted()];
	for (let index = 0; index < Math.max(wanted.length, found.length); index += 1) {
		if (wanted[index] !== found[index]) throw violated(announcements.name, `expected ${wanted[index]}, found ${found[index]}`);
	}
}

interface Total {
	sales: number;
	revenue: number;
	refunded: number;
	commission: number;
	deducted: number;
}

function checkMetrics({ rows }: Books): void {
	const totals = new Map<string, Total>();
	const sales = byId(rows.sales);
	const refunds = byId(rows.refunds);
	const commissions = byId(rows.commissions);
	const totalOf = (programId: number, currency: string): Total => {
		const key = `${programId} ${currency}`;
		const total = totals.get(key) ?? { sales: 0, revenue: 0, refunded: 0, commission: 0, deducted: 0 };
		totals.set(key, total);
		return total;
	};
	for (const row of rows.outbox) {
		if (row.done_at === null) continue;
		if (row.kind === 'sale_recorded') {
			const sale = sales.get(row.subject_id);
			const total = totalOf(row.program_id, sale?.currency ?? '');
			total.sales += 1;
			total.revenue += sale?.amount_cents ?? 0;
		} else if (row.kind === 'commission_created') {
			const commission = commissions.get(row.subject_id);
			const total = totalOf(row.program_id, commission?.currency ?? '');
			total.commission += commission?.amount_cents ?? 0;
			total.deducted += deductedAtRepair(rows, row);
		} else if (row.kind === 'sale_refunded') {
			const refund = refunds.get(row.subject_id);
			const total = totalOf(row.program_id, sales.get(refund?.sale_id ?? 0)?.currency ?? '');
			const sign = refund?.outcome === 'reinstated' ? -1 : 1;
			total.refunded += sign * (refund?.amount_cents ?? 0);
			total.deducted += sign * (refund?.deduction_cents ?? 0);
		}
	}
	for (const metric of rows.metrics) compareTotal(metric, totals);
	const [missing] = totals.keys();
	if (missing !== undefined) throw violated(metrics.name, `no metrics for ${missing}`);
}

function compareTotal(metric: MetricRow, totals: Map<string, Total>): void {
	const key = `${metric.program_id} ${metric.currency}`;
	const total = totals.get(key);
	const told = [metric.sales, metric.revenue_cents, metric.refunded_cents, metric.commission_cents, metric.deducted_cents].join(' ');
	const due = total ? [total.sales, total.revenue, total.refunded, total.commission, total.deducted].join(' ') : 'nothing';
	if (told !== due) throw violated(metrics.name, `${key}: ${told} (sales, revenue, refunded, commission, deducted), due is ${due}`);
	totals.delete(key);
}

/** What the refunds before a commission was made took of it: the reversal that no refund event carries. */
function deductedAtRepair(rows: Rows, row: OutboxRow): number {
	const operations = new Set(rows.refunds.map((refund) => refund.op_id));
	const own = rows.entries.filter(
		(entry) => entry.commission_id === row.subject_id && entry.kind === 'reversal' && !operations.has(entry.operation),
	);
	return -own.reduce((sum, entry) => sum + entry.nominal_cents, 0);
}

function checkNotifications({ rows }: Simulation): void {
	const due: string[] = [];
	const commissions = byId(rows.commissions);
	const tellPartner = (row: OutboxRow, kind: string, partnerProgramId: number | undefined) => {
		const membership = WORLD.memberships.find(({ id }) => id === partnerProgramId);
		due.push(`${row.id} ${kind} partner ${membership?.partnerId}`);
	};
	for (const row of rows.outbox) {
		if (row.done_at === null) continue;
		if (row.kind === 'commission_created') tellPartner(row, row.kind, commissions.get(row.subject_id)?.partner_program_id);
		if (row.kind === 'commission_rejected') tellPartner(row, row.kind, commissions.get(row.subject_id)?.partner_program_id);
		if (row.kind === 'payout_made') tellPartner(row, row.kind, rows.payouts.find(({ id }) => id === row.subject_id)?.partner_program_id);
		if (row.kind !== 'sale_refunded') continue;
		const refund = rows.refunds.find(({ id }) => id === row.subject_id);
		if (!refund || refund.deduction_cents === null) continue;
		const commission = rows.commissions.find(({ sale_id }) => sale_id === refund.sale_id);
		const isBack = refund.outcome === 'reinstated';
		tellPartner(row, isBack ? 'commission_reinstated' : 'commission_reversed', commission?.partner_program_id);
		if (wasPaidBefore(rows, commission?.id, refund.op_id)) {
			due.push(`${row.id} manual_review user ${WORLD.programs.find(({ id }) => id === row.program_id)?.ownerId}`);
		}
	}
	const told = rows.notifications.map(
		(row) => `${row.outbox_id} ${row.kind} ${row.partner_id === null ? `user ${row.user_id}` : `partner ${row.partner_id}`}`,
	);
	const [wanted, found] = [due.toSorted(), told.toSorted()];
	for (let index = 0; index < Math.max(wanted.length, found.length); index += 1) {
		if (wanted[index] !== found[index]) throw violated(notifications.name, `expected ${wanted[index]}, found ${found[index]}`);
	}
}

/** By the order of the ledger: clocks of requests that race say little. */
function wasPaidBefore(rows: Rows, commissionId: number | undefined, refundOperation: string): boolean {
	const own = rows.entries.filter((entry) => entry.commission_id === commissionId);
	const reversal = own.find((entry) => entry.kind === 'reversal' && entry.operation === refundOperation);
	const payout = own.find((entry) => entry.kind === 'payout');
	return reversal !== undefined && payout !== undefined && payout.id < reversal.id;
}
