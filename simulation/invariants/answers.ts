import type { Request } from '../world/journal.ts';
import type { LeadRow, RefundRow, Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { byId, type Invariant, violated } from './invariant.ts';
import { counting, countingSale, isOfPayment } from './payments.ts';

export const kept: Invariant = { name: 'an acknowledged write is stored, with the same ids', onAnswers: true, check: checkKept };
export const refused: Invariant = { name: 'a refused request wrote nothing', onAnswers: true, check: checkRefused };
export const duplicates: Invariant = { name: 'an id is recorded if an answer says so', onAnswers: true, check: checkDuplicates };
export const buyers: Invariant = { name: 'a sale or lead belongs to the customer whose ids were sent', check: checkBuyers };

function checkKept(sim: Simulation): void {
	const sales = byId(sim.rows.sales);
	const commissions = byId(sim.rows.commissions);
	const currencies = new Map(sim.rows.programs.map(({ id, currency }) => [id, currency]));
	for (const { request, receipt } of sim.journal.answered('sale')) {
		const { sale: sent, program } = request.params;
		const sale = sales.get(receipt.saleId);
		const isAsSent =
			sale !== undefined &&
			request.opIds.includes(sale.op_id) &&
			sale.is_test === 0 &&
			sale.processor_event_id === sent.transactionId &&
			sale.amount_cents === sent.amountCents &&
			sale.currency === (sent.currency ?? currencies.get(program.id)) &&
			sale.program_id === program.id &&
			sale.product_id === (sent.productId ?? null) &&
			sale.subscription_id === (sent.subscriptionId ?? null) &&
			sale.created_at === request.now;
		if (!isAsSent) throw violated(kept.name, `sale ${receipt.saleId} of request ${request.id} is not stored as sent`);
		const commission = receipt.commissionId === null ? undefined : commissions.get(receipt.commissionId);
		if (receipt.commissionId !== null && commission?.sale_id !== receipt.saleId)
			throw violated(kept.name, `commission ${receipt.commissionId} of request ${request.id} is not stored`);
		if (receipt.commissionId === null && sale?.commission_state !== 'none')
			throw violated(kept.name, `sale ${receipt.saleId} was answered without a commission, but has one`);
	}
	checkRefundAnswers(sim);
	checkOtherAnswers(sim);
	checkDecisions(sim);
}

function checkRefundAnswers(sim: Simulation): void {
	for (const { request, receipt } of sim.journal.answered('refund')) {
		const own = sim.rows.refunds.find(({ op_id }) => request.opIds.includes(op_id));
		if (receipt.outcome === 'skipped' && !own && receipt.reason.includes('the payment processor reported'))
			throw violated(kept.name, `the report of refund request ${request.id} is not recorded beside the processor's`);
		if (receipt.outcome === 'skipped' && !own) checkUnrecorded(sim, request);
		if (receipt.outcome === 'skipped' && (own?.outcome === 'skipped' || (own && isOfRejected(sim.rows, own)))) continue;
		const isRecorded =
			receipt.outcome === 'reversed' || receipt.outcome === 'refunded' || (receipt.outcome === 'no_commission' && receipt.isRecorded);
		if (isRecorded !== (own !== undefined))
			throw violated(
				kept.name,
				`refund request ${request.id} was answered ${receipt.outcome}, but its row ${own ? 'exists' : 'is missing'}`,
			);
		if (!own) continue;
		const { refund, program } = request.params;
		const sale = sim.rows.sales.find(({ id }) => id === own.sale_id);
		if (
			!sale ||
			countingSale(sim.rows, refund.transactionId, 0, program.id)?.id !== counting(sim.rows, sale)?.id ||
			own.program_id !== program.id ||
			own.refund_id !== (refund.refundId ?? null)
		) {
			throw violated(kept.name, `refund ${own.id} of request ${request.id} belongs to another sale`);
		}
		if (own.outcome !== receipt.outcome)
			throw violated(kept.name, `refund ${own.id} is ${own.outcome}, but was answered ${receipt.outcome}`);
		if (isOfPayment(sim.rows, sale)) continue;
		const earlier = sim.rows.refunds.filter(({ id, sale_id }) => sale_id === own.sale_id && id < own.id);
		const left = sale.amount_cents - earlier.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
		const due = refund.amountCents === undefined || refund.amountCents > left ? left : refund.amountCents;
		if (own.amount_cents !== due) throw violated(kept.name, `refund ${own.id} refunded ${own.amount_cents} of the sale, should be ${due}`);
		if (receipt.outcome === 'no_commission') continue;
		if (receipt.outcome !== (refund.amountCents === undefined ? 'reversed' : 'refunded'))
			throw violated(kept.name, `refund ${own.id} was answered ${receipt.outcome}`);
		const commission = sim.rows.commissions.find(({ id }) => id === receipt.commissionId);
		if (receipt.deductionCents !== own.deduction_cents || commission?.sale_id !== own.sale_id || receipt.currency !== sale.currency) {
			throw violated(kept.name, `refund ${own.id} deducts ${own.deduction_cents}, but was answered ${receipt.deductionCents}`);
		}
	}
}

/** A refund may go unrecorded only if it was reported before or there is nothing left to refund. */
function checkUnrecorded({ rows }: Simulation, { id, params, answer }: Request<'refund'>): void {
	if (answer?.state !== 'answered' || answer.receipt.outcome !== 'skipped' || !answer.receipt.reason.includes('was rejected')) return;
	const sale = countingSale(rows, params.refund.transactionId, 0, params.program.id);
	if (!sale || sale.refunded_cents >= sale.amount_cents) return;
	const isReported = rows.refunds.some(({ sale_id, source }) => {
		const refunded = rows.sales.find((row) => row.id === sale_id);
		return source === 'endpoint' && refunded !== undefined && counting(rows, refunded)?.id === sale.id;
	});
	if (!isReported) throw violated(kept.name, `refund request ${id} of a sale whose commission was rejected is not recorded`);
}

function checkOtherAnswers(sim: Simulation): void {
	for (const { request, receipt } of sim.journal.answered('lead')) {
		const lead = sim.rows.leads.find(({ id }) => id === receipt.leadId);
		const isOwn = lead !== undefined && request.opIds.includes(lead.op_id) && (lead.is_test === 1) === request.params.lead.isTest;
		if (!isOwn && !isNaming(sim, request, lead)) throw violated(kept.name, `lead ${receipt.leadId} of request ${request.id} is not stored`);
	}
	for (const { request, receipt } of sim.journal.answered('testSale')) {
		const sale = sim.rows.sales.find(({ id }) => id === receipt.eventId);
		if (sale?.is_test !== 1 || !request.opIds.includes(sale.op_id)) throw violated(kept.name, `test sale ${receipt.eventId} is not stored`);
	}
	for (const { request, receipt } of sim.journal.answered('testRefund')) {
		if (sim.rows.refunds.find(({ id }) => id === receipt.eventId)?.is_test !== 1)
			throw violated(kept.name, `test refund of request ${request.id} is not stored`);
	}
	for (const { request, receipt } of sim.journal.answered('payout')) {
		const own = sim.rows.payouts.filter(({ op_id }) => request.opIds.includes(op_id));
		const answered = receipt
			.map(
				({ id, amountCents, recoveredCents, commissionCents, surplusCents }) =>
					`${id} ${amountCents} ${recoveredCents} ${commissionCents} ${surplusCents}`,
			)
			.toSorted()
			.join();
		const stored = own
			.map((row) => `${row.id} ${row.amount_cents} ${row.recovered_cents} ${row.due_cents - row.surplus_cents} ${row.surplus_cents}`)
			.toSorted()
			.join();
		if (answered !== stored) throw violated(kept.name, `payout request ${request.id} was answered ${answered}, stored is ${stored}`);
		const { payout } = request.params;
		const paid = sim.rows.commissions.filter(({ payout_id }) => own.some(({ id }) => id === payout_id)).map(({ id }) => id);
		const missing = payout.commissionIds?.find((id) => !paid.includes(id));
		if (missing !== undefined) throw violated(kept.name, `payout request ${request.id} did not pay commission ${missing}`);
		const small = own.find(({ amount_cents }) => amount_cents < (payout.minimumCents ?? 0));
		if (small) throw violated(kept.name, `payout ${small.id} is below the minimum`);
	}
}

/** A page that claims a key for a known visitor receives the visitor's lead. The key may have moved since: see claims.ts. */
function isNaming({ rows }: Simulation, { params }: Request<'lead'>, lead: LeadRow | undefined): boolean {
	const { clickId, customerKey, isTest } = params.lead;
	const customer = rows.customers.find(({ id }) => id === lead?.customer_id);
	const isVisitor = customer?.click_sequence === 0 && customer.click_id === clickId;
	// The key belongs to this customer, moved to another one, or was erased.
	const isSomewhere = rows.customers.some(({ customer_key, erased_at }) => customer_key === customerKey || erased_at !== null);
	return !params.isServer && !isTest && isVisitor && customerKey !== undefined && isSomewhere;
}

function checkDecisions(sim: Simulation): void {
	for (const kind of ['approve', 'reject'] as const) {
		for (const { request } of sim.journal.answered(kind)) {
			for (const id of request.params.ids) {
				const status = sim.rows.commissions.find((commission) => commission.id === id)?.status;
				if (kind === 'approve' ? status === 'pending' : status !== 'rejected')
					throw violated(kept.name, `commission ${id} is ${status} after request ${request.id} (${kind})`);
			}
		}
	}
}

function checkRefused(sim: Simulation): void {
	for (const request of sim.journal.requests) {
		if (!isRefused(request) || isStoredDespiteRefusal(sim.rows, request)) continue;
		const trace = opIdsOf(request)
			.map((opId) => tracesOf(sim.rows, opId))
			.find((found) => found !== undefined);
		if (trace !== undefined) throw violated(refused.name, `request ${request.id} (${request.kind}) was refused, but wrote ${trace}`);
	}
}

/** Sales are never deleted, so a response may be outdated, but never wrong. */
function checkDuplicates(sim: Simulation): void {
	for (const { id, params, answer } of sim.journal.of('sale')) {
		if (answer?.state !== 'rejected') continue;
		const known = countingSale(sim.rows, params.sale.transactionId, 0, params.program.id);
		const { code } = answer.rejection;
		if (code === 'transaction_already_recorded' && known?.program_id !== params.program.id)
			throw violated(
				duplicates.name,
				`request ${id} was answered that ${params.sale.transactionId} is recorded, but its program has no such sale`,
			);
		if (code === 'transaction_recorded_elsewhere' && !isUsedElsewhere(sim.rows, params.sale.transactionId, params.program.id))
			throw violated(duplicates.name, `request ${id} was answered wrongly that another program has used ${params.sale.transactionId}`);
	}
	for (const { id, params, answer, step } of sim.journal.of('refund')) {
		const isUnknown = answer?.state === 'rejected' && answer.rejection.code === 'sale_not_found';
		if (!isUnknown || step !== sim.step) continue;
		if (countingSale(sim.before, params.refund.transactionId, 0, params.program.id)?.program_id === params.program.id)
			throw violated(duplicates.name, `refund request ${id} did not find its program's sale ${params.refund.transactionId}`);
	}
}

/** Whether another program uses an id that must be unique across programs. */
function isUsedElsewhere({ sales, aliases }: Rows, transactionId: string, programId: number): boolean {
	const alias = aliases.find((row) => row.alias === transactionId && row.is_test === 0);
	const isIt = (sale: Rows['sales'][number]) => sale.processor_event_id === transactionId && sale.id_scope === 0;
	return sales.some((sale) => sale.program_id !== programId && sale.is_test === 0 && (isIt(sale) || sale.id === alias?.sale_id));
}

function isRefused({ answer, kind }: Request): boolean {
	if (answer?.state === 'rejected') return true;
	if (answer?.state !== 'answered' || kind !== 'refund') return false;
	const { receipt } = answer;
	return typeof receipt === 'object' && receipt !== null && 'outcome' in receipt && receipt.outcome === 'skipped';
}

/** A refund of a sale with a rejected commission is recorded but does not affect the ledger. */
function isStoredDespiteRefusal(rows: Rows, { opIds }: Request): boolean {
	const own = rows.refunds.find(({ op_id }) => opIds.includes(op_id));
	const hasMoved = rows.entries.some(({ operation }) => opIds.includes(operation));
	return own !== undefined && isOfRejected(rows, own) && !hasMoved;
}

function isOfRejected(rows: Rows, { sale_id, outcome, deduction_cents }: RefundRow): boolean {
	const commission = rows.commissions.find((row) => row.sale_id === sale_id);
	return commission?.status === 'rejected' && outcome === 'no_commission' && deduction_cents === null;
}

/** A processor event has its own op id. */
function opIdsOf({ params, opIds }: Request): readonly string[] {
	return 'opId' in params ? [params.opId] : opIds;
}

function tracesOf(rows: Rows, opId: string): string | undefined {
	if (rows.sales.some(({ op_id }) => op_id === opId)) return 'a sale';
	if (rows.leads.some(({ op_id }) => op_id === opId)) return 'a lead';
	if (rows.refunds.some(({ op_id, outcome }) => op_id === opId && outcome !== 'skipped')) return 'a refund';
	if (rows.payouts.some(({ op_id }) => op_id === opId)) return 'a payout';
	if (rows.entries.some(({ operation }) => operation === opId)) return 'a ledger entry';
	if (rows.audits.some(({ operation }) => operation === opId)) return 'an audit entry';
	return undefined;
}

function checkBuyers(sim: Simulation): void {
	const customers = byId(sim.rows.customers);
	for (const request of [...sim.journal.of('sale'), ...sim.journal.of('payment')]) {
		const opIds = opIdsOf(request);
		const sale = sim.rows.sales.find(({ op_id, is_test }) => is_test === 0 && opIds.includes(op_id));
		if (!sale) continue;
		const { customerKey, clickId } = request.params.sale;
		const customer = customers.get(sale.customer_id ?? 0);
		const isRight =
			customerKey === undefined
				? (customer?.click_id === clickId || customer?.coupon_id === sale.coupon_id) && customer?.click_sequence === 0
				: customer?.customer_key === customerKey;
		if (!isRight)
			throw violated(
				buyers.name,
				`sale ${sale.id} (${customerKey}, ${clickId}) belongs to customer ${customer?.customer_key}, ${customer?.click_id}`,
			);
	}
	for (const request of sim.journal.of('lead')) {
		const lead = sim.rows.leads.find(({ op_id }) => request.opIds.includes(op_id));
		if (!lead || lead.is_test === 1) continue;
		const { customerKey, clickId } = request.params.lead;
		const customer = customers.get(lead.customer_id ?? 0);
		const isOfClick = customer?.click_id === clickId && customer?.click_sequence === 0;
		// The claimed key may have moved since: see claims.ts.
		const isByClick = customerKey === undefined || (!request.params.isServer && isOfClick);
		const isRight = isByClick ? isOfClick : customer?.customer_key === customerKey;
		if (!isRight)
			throw violated(
				buyers.name,
				`lead ${lead.id} (${customerKey}, ${clickId}) belongs to customer ${customer?.customer_key}, ${customer?.click_id}`,
			);
	}
}
