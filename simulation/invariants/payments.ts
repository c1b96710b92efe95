import type { Reversal } from '../../src/domain/processors/processor-event.ts';
import type { RefundRow, Rows, SaleRow, ReportedReversalRow } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { type RowInvariant, type WithRows, byId, grouped, type Invariant, violated } from './invariant.ts';

// One payment is one sale, under any ids and from any sources.

export const aliases: RowInvariant = {
	name: 'an id leads to one sale, a duplicate to the one that counts',
	reads: ['sales', 'aliases', 'reportedReversals'],
	check: checkAliases,
};
export const payments: Invariant = { name: 'what was reported as one payment is one sale', onAnswers: true, check: checkPayments };
export const paymentAnswers: Invariant = { name: 'what the processor reported is stored', onAnswers: true, check: checkAnswers };
export const reported: Invariant = { name: 'reports to the refund endpoint add up', reads: ['sales', 'refunds'], check: checkReported };

/** The program's own sale precedes aliases and other programs' sales. */
function saleBy(rows: Rows, id: string, isTest: number, programId: number): SaleRow | undefined {
	const alias = rows.aliases.find((row) => row.alias === id && row.is_test === isTest);
	const found = rows.sales.filter((sale) => sale.is_test === isTest && (sale.processor_event_id === id || sale.id === alias?.sale_id));
	return found.find(({ program_id }) => program_id === programId) ?? found.find(({ id_scope }) => id_scope === 0);
}

/** The original if the sale is a duplicate, otherwise the sale. */
export function counting(rows: Rows, sale: SaleRow | undefined): SaleRow | undefined {
	return sale?.duplicate_of_sale_id == null ? sale : rows.sales.find(({ id }) => id === sale.duplicate_of_sale_id);
}

export function countingSale(rows: Rows, id: string, isTest: number, programId: number): SaleRow | undefined {
	return counting(rows, saleBy(rows, id, isTest, programId));
}

/** If true, the refund endpoint alone does not decide the refunded amount. */
export function isOfPayment(rows: Rows, sale: SaleRow): boolean {
	return (
		sale.duplicate_of_sale_id !== null ||
		rows.reportedReversals.some(({ sale_id }) => sale_id === sale.id) ||
		rows.sales.some(({ duplicate_of_sale_id }) => duplicate_of_sale_id === sale.id)
	);
}

function checkAliases({ rows }: WithRows): void {
	const sales = byId(rows.sales);
	const transactions = new Set(
		rows.sales.map(({ processor_event_id, is_test, id_scope }) => `${processor_event_id} ${is_test} ${id_scope}`),
	);
	for (const { alias, is_test, sale_id } of rows.aliases) {
		const scopes = [0, sales.get(sale_id)?.program_id];
		if (scopes.some((scope) => transactions.has(`${alias} ${is_test} ${scope}`)))
			throw violated(aliases.name, `${alias} is a transaction_id and an alias`);
		if (sales.get(sale_id)?.is_test !== is_test) throw violated(aliases.name, `${alias} crosses test and live mode`);
	}
	for (const sale of rows.sales) {
		if (sale.duplicate_of_sale_id === null) continue;
		const of = sales.get(sale.duplicate_of_sale_id);
		if (!of || of.duplicate_of_sale_id !== null || of.id >= sale.id || of.program_id !== sale.program_id || of.is_test !== sale.is_test)
			throw violated(aliases.name, `sale ${sale.id} cannot be a duplicate of ${sale.duplicate_of_sale_id}`);
		for (const row of rows.reportedReversals.filter(({ sale_id }) => sale_id === sale.id)) {
			const taken = rows.reportedReversals.find(
				(other) => other.sale_id === of.id && other.kind === row.kind && other.reversal_id === row.reversal_id,
			);
			if (!taken || taken.amount_cents < row.amount_cents || (row.undone_at !== null && taken.undone_at === null))
				throw violated(aliases.name, `${row.reversal_id} is stored for sale ${sale.id}, but not for ${of.id}`);
		}
	}
}

function checkPayments(sim: Simulation): void {
	for (const kind of ['payment', 'reversal', 'link'] as const) {
		for (const { request, receipt } of sim.journal.answered(kind)) {
			if (receipt === undefined) continue;
			const { program, paymentIds, isTest } = request.params;
			const saleId = typeof receipt === 'number' ? receipt : receipt.saleId;
			const expected = counting(
				sim.rows,
				sim.rows.sales.find(({ id }) => id === saleId),
			);
			if (expected?.program_id !== program.id || (expected.is_test === 1) !== isTest)
				throw violated(
					payments.name,
					`request ${request.id} was answered with sale ${saleId}, which does not belong to program ${program.id}`,
				);
			for (const id of paymentIds) {
				const found = countingSale(sim.rows, id, isTest ? 1 : 0, program.id);
				if (!found) throw violated(payments.name, `${id} of request ${request.id} leads to no sale`);
				// Two test sales are not merged.
				if (found.program_id === program.id && found.id !== expected.id && !isTest)
					throw violated(payments.name, `${id} of request ${request.id} leads to sale ${found.id}, others to ${expected.id}`);
			}
		}
	}
}

function checkAnswers(sim: Simulation): void {
	for (const { request, receipt } of sim.journal.answered('payment')) {
		const { params } = request;
		const own = sim.rows.sales.find(({ op_id }) => op_id === params.opId);
		if (receipt.isNew !== (own !== undefined))
			throw violated(paymentAnswers.name, `payment request ${request.id} was answered isNew ${receipt.isNew}, its sale is ${own?.id}`);
		const isAsSent =
			!own ||
			(own.processor_event_id === params.sale.transactionId &&
				own.amount_cents === params.sale.amountCents &&
				own.currency === params.sale.currency &&
				own.program_id === params.program.id &&
				(own.is_test === 1) === params.isTest);
		if (!isAsSent) throw violated(paymentAnswers.name, `sale ${own?.id} of request ${request.id} is not stored as reported`);
		if (receipt.commissionId !== null && sim.rows.commissions.find(({ id }) => id === receipt.commissionId)?.sale_id !== receipt.saleId)
			throw violated(paymentAnswers.name, `commission ${receipt.commissionId} of request ${request.id} is not stored`);
	}
	for (const { request, receipt } of sim.journal.answered('reversal')) {
		if (!receipt || request.params.isTest) continue;
		const { reversal } = request.params.fact;
		const sale = counting(
			sim.rows,
			sim.rows.sales.find(({ id }) => id === receipt.saleId),
		);
		const row = sim.rows.reportedReversals.find(
			({ sale_id, kind, reversal_id }) => sale_id === sale?.id && kind === reversal.kind && reversal_id === reversal.id,
		);
		if (!row || row.amount_cents < reversal.amountCents || !isKept(reversal, row))
			throw violated(paymentAnswers.name, `${reversal.id} of request ${request.id} is not stored as reported`);
		const event = sim.rows.refunds.find(({ op_id }) => op_id === request.params.opId);
		if (!matchesAnswer(event, receipt.outcome, receipt.amountCents))
			throw violated(paymentAnswers.name, `request ${request.id} was answered ${receipt.outcome}, its event says ${event?.outcome}`);
	}
}

/** A dispute keeps its latest instants; a refund that failed stays failed. */
function isKept({ kind, undoneAt, stoodAt }: Reversal, { undone_at, stood_at }: ReportedReversalRow): boolean {
	const isUndoneKept = undoneAt === undefined || (undone_at !== null && (kind !== 'dispute' || undone_at >= undoneAt));
	return isUndoneKept && (stoodAt === undefined || (stood_at !== null && stood_at >= stoodAt));
}

function matchesAnswer(event: RefundRow | undefined, outcome: string, amountCents: number): boolean {
	return event === undefined ? outcome === 'unchanged' : event.outcome === outcome && event.amount_cents === amountCents;
}

/** A sale's reported refunds include those of its duplicates. */
function checkReported(sim: Simulation): void {
	const refunds = new Map(sim.journal.of('refund').flatMap((request) => request.opIds.map((opId) => [opId, request.params.refund])));
	const reports = grouped(
		sim.rows.refunds.filter(({ source, is_test }) => source === 'endpoint' && is_test === 0),
		({ sale_id }) => sale_id,
	);
	const ownOf = (sale: SaleRow) =>
		(reports.get(sale.id) ?? []).map(({ op_id, refund_id }) => {
			const cents = refunds.get(op_id)?.amountCents ?? sale.amount_cents;
			return { id: refund_id, cents: Math.min(cents, sale.amount_cents) };
		});
	const families = grouped(sim.rows.sales, ({ id, duplicate_of_sale_id }) => duplicate_of_sale_id ?? id);
	for (const family of families.values()) {
		const members = family.toSorted((a, b) => a.id - b.id).map((sale) => ({ sale, own: ownOf(sale) }));
		if (members.length > 1 && isSharing(members)) sim.count('refund reported of two sales of one payment');
		if (isExplained(members)) continue;
		const said = members.map(({ sale, own }) => `${sale.id} says ${sale.reported_refund_cents}, its own reports say ${sumOf(own)}`);
		throw violated(reported.name, `sale ${said.join('; sale ')}`);
	}
}

interface Report {
	readonly id: string | null;
	readonly cents: number;
}

interface Reported {
	readonly sale: SaleRow;
	readonly own: readonly Report[];
}

function isSharing(members: readonly Reported[]): boolean {
	const ids = members.flatMap(({ own }) => own.map(({ id }) => id));
	return new Set(ids).size < ids.length;
}

function sumOf(reports: readonly Report[]): number {
	return reports.reduce((sum, { cents }) => sum + cents, 0);
}

/**
 * Whether some order of merges explains each sale's reported amount: its own reports plus those of merged sales, at most its total. Reports
 * with the same id are one refund.
 */
function isExplained(members: readonly Reported[]): boolean {
	return waysToMerge(members.length).some((takenBy) => {
		const withTaken = (index: number): Report[] => {
			const taken = members.flatMap((_, other) => (takenBy[other] === index ? withTaken(other) : []));
			return [...(members[index]?.own ?? []), ...taken];
		};
		return members.every(({ sale, own }, index) => {
			let sum = sumOf(own);
			const known = [...own];
			for (const [other, later] of members.entries()) {
				if (takenBy[other] !== index) continue;
				sum += Math.max(0, later.sale.reported_refund_cents - sharedOf(known, withTaken(other)));
				known.push(...withTaken(other));
			}
			return sale.reported_refund_cents === Math.min(sum, sale.amount_cents);
		});
	});
}

/** The amount that both lists report under shared ids. */
function sharedOf(ones: readonly Report[], others: readonly Report[]): number {
	const mostOf = (reports: readonly Report[], id: string | null) =>
		Math.max(0, ...reports.flatMap((report) => (report.id === id ? [report.cents] : [])));
	const ids = new Set([...ones, ...others].map(({ id }) => id));
	return [...ids].reduce((sum, id) => sum + Math.min(mostOf(ones, id), mostOf(others, id)), 0);
}

/** All ways to merge `count` sales: each one may be merged into an earlier one. */
function waysToMerge(count: number): readonly (readonly (number | undefined)[])[] {
	let ways: (number | undefined)[][] = [[undefined]];
	for (let index = 1; index < count; index += 1)
		ways = ways.flatMap((way) => Array.from({ length: index }, (_, earlier) => [...way, earlier]));
	return ways;
}
