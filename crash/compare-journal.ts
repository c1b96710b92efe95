import { toMajorUnits } from '../src/domain/money.ts';
import { byId, grouped } from '../simulation/invariants/invariant.ts';
import { halfUp } from '../simulation/world/oracle.ts';
import type { Rows, SaleRow } from '../simulation/world/rows.ts';
import {
	acknowledgements,
	type Charge,
	type DecisionWrite,
	foundRecorded,
	isExpected,
	type Journal,
	type LeadWrite,
	type PayoutWrite,
	type RefundWrite,
	type SaleWrite,
	type WebhookWrite,
	wasUnknown,
} from './journal.ts';
import { refundedOf } from './stripe.ts';
import { Findings } from './tally.ts';

/** Checks that every acknowledged write is stored once with the client's values, and that a client sent every stored row. */
export function compareJournal(journal: Journal, rows: Rows): Findings {
	const findings = new Findings(journal.intents);
	const stored = new Stored(rows);
	for (const intent of journal.intents) {
		const odd = intent.answers.find((answer) => !isExpected(intent.kind, answer));
		if (odd) findings.add(intent, 'wrong', `answered ${odd.status}`);
		switch (intent.kind) {
			case 'lead':
				compareLead(intent, stored, findings);
				break;
			case 'sale':
				compareSale(intent, stored, findings);
				break;
			case 'refund':
				compareRefund(intent, stored, findings);
				break;
			case 'payout':
				comparePayout(intent, stored, findings);
				break;
			case 'decision':
				compareDecision(intent, stored, findings);
				break;
			case 'webhook':
				compareWebhook(intent, stored, findings);
				break;
		}
	}
	findings.details.push(...journal.charges.flatMap((charge) => compareCharge(charge, stored)), ...findStrays(journal, stored));
	return findings;
}

class Stored {
	readonly rows: Rows;
	readonly customers;
	readonly leads;
	readonly leadsOfClick;
	readonly sales;
	readonly commissions;
	readonly commissionOfSale;
	readonly refunds;
	readonly payouts;
	readonly paidBy;

	constructor(rows: Rows) {
		this.rows = rows;
		this.customers = byId(rows.customers);
		this.leads = byId(rows.leads);
		this.leadsOfClick = grouped(rows.leads, (lead) => this.customers.get(lead.customer_id ?? 0)?.click_id);
		this.sales = new Map(rows.sales.map((sale) => [sale.processor_event_id, sale]));
		this.commissions = byId(rows.commissions);
		this.commissionOfSale = new Map(rows.commissions.map((commission) => [commission.sale_id, commission]));
		this.refunds = grouped(rows.refunds, (refund) => refund.sale_id);
		this.payouts = byId(rows.payouts);
		this.paidBy = grouped(rows.commissions, (commission) => commission.payout_id);
	}
}

function compareLead(intent: LeadWrite, stored: Stored, findings: Findings): void {
	const own = stored.leadsOfClick.get(intent.clickId) ?? [];
	const [acknowledged, ...more] = acknowledgements(intent);
	if (own.length > 1 || more.length > 0) findings.add(intent, 'doubled', `${own.length} lead events for ${intent.clickId}`);
	const [lead] = own;
	if (!lead) return findings.add(intent, 'lost', `no lead event for ${intent.clickId}`);
	if (acknowledged && acknowledged.body['lead_id'] !== lead.id) findings.add(intent, 'wrong', `stored as lead ${lead.id}`);
	const customer = stored.customers.get(lead.customer_id ?? 0);
	if (customer?.partner_program_id !== intent.partnerProgramId)
		findings.add(intent, 'wrong', `attributed to ${customer?.partner_program_id}`);
}

function compareSale(intent: SaleWrite, stored: Stored, findings: Findings): void {
	const sale = stored.sales.get(intent.transactionId);
	const [acknowledged, ...more] = acknowledgements(intent);
	if (more.length > 0) findings.add(intent, 'doubled', 'acknowledged twice');
	if (!acknowledged && !wasUnknown(intent)) findings.add(intent, 'wrong', 'the request that recorded it was answered 409');
	if (!sale) return findings.add(intent, 'lost', `no sale ${intent.transactionId}`);
	const commission = stored.commissionOfSale.get(sale.id);
	const isAsSent =
		sale.program_id === intent.programId &&
		sale.amount_cents === intent.amountCents &&
		sale.currency === intent.currency &&
		sale.partner_program_id === intent.partnerProgramId &&
		stored.customers.get(sale.customer_id ?? 0)?.click_id === intent.clickId;
	if (!isAsSent) findings.add(intent, 'wrong', `stored as ${JSON.stringify(sale)}`);
	if (!acknowledged) return;
	const { sale_id: saleId, commission_id: commissionId } = acknowledged.body;
	if (saleId !== sale.id || commissionId !== (commission?.id ?? null)) {
		findings.add(intent, 'wrong', `stored as sale ${sale.id} with commission ${commission?.id ?? null}`);
	}
}

function compareRefund(intent: RefundWrite, stored: Stored, findings: Findings): void {
	const sale = stored.sales.get(intent.transactionId);
	if (!sale) return findings.add(intent, 'lost', `no sale ${intent.transactionId}`);
	const refund = stored.refunds.get(sale.id)?.find(({ refund_id }) => refund_id === intent.refundId);
	const effective = acknowledgements(intent).filter(({ body }) => !isAlreadyRecorded(body));
	if (effective.length > 1 && intent.refundId !== null) findings.add(intent, 'doubled', 'took effect twice');
	const isKnown = intent.answers.some(({ body }) => String(body['reason']).includes('this refund_id was already processed'));
	if (!refund && (effective.length > 0 || isKnown)) return findings.add(intent, 'lost', `no refund ${intent.refundId}`);
	if (!refund || !effective[0]) return;
	const { body } = effective[0];
	if (body['status'] !== refund.outcome) return findings.add(intent, 'wrong', `stored as ${refund.outcome}`);
	if (refund.deduction_cents === null) return;
	const isAsAnswered =
		body['deductionAmount'] === toMajorUnits(refund.deduction_cents, sale.currency) &&
		body['commission_id'] === stored.commissionOfSale.get(sale.id)?.id;
	if (!isAsAnswered) findings.add(intent, 'wrong', `stored with a deduction of ${refund.deduction_cents}`);
}

/** A repeated refund of a sale without a commission also gets a 200, but stores nothing. */
function isAlreadyRecorded(body: Record<string, unknown>): boolean {
	return String(body['message']).includes('already recorded');
}

function comparePayout(intent: PayoutWrite, stored: Stored, findings: Findings): void {
	for (const answered of acknowledgements(intent).flatMap(({ body }) => body['data'] as Record<string, unknown>[])) {
		const payout = stored.payouts.get(Number(answered['id']));
		if (!payout) {
			findings.add(intent, 'lost', `no payout ${String(answered['id'])}`);
			continue;
		}
		const paid = (stored.paidBy.get(payout.id) ?? []).map(({ id }) => id);
		const isAsAnswered =
			payout.program_id === intent.programId &&
			moneyOf({ ...payout, commission_cents: payout.due_cents - payout.surplus_cents }) === moneyOf(answered) &&
			JSON.stringify(sorted(paid)) === JSON.stringify(sorted(answered['commission_ids'] as number[]));
		if (!isAsAnswered) findings.add(intent, 'wrong', `stored as ${JSON.stringify(payout)} for ${paid.join(' ')}`);
	}
}

function moneyOf(payout: Record<string, unknown>): string {
	const { currency, amount_cents: amount, recovered_cents: recovered, commission_cents: commissions, surplus_cents: surplus } = payout;
	return JSON.stringify([currency, amount, recovered, commissions, surplus]);
}

function sorted(ids: readonly number[]): number[] {
	return ids.toSorted((a, b) => a - b);
}

function compareDecision(intent: DecisionWrite, stored: Stored, findings: Findings): void {
	if (acknowledgements(intent).length === 0) return;
	const status = stored.commissions.get(intent.commissionId)?.status;
	const holds = intent.decision === 'reject' ? status === 'rejected' : status !== undefined && status !== 'pending';
	if (!holds) findings.add(intent, 'lost', `commission ${intent.commissionId} is ${status}`);
}

function compareWebhook(intent: WebhookWrite, { rows }: Stored, findings: Findings): void {
	const own = rows.inbox.filter(({ event_id, program_id }) => event_id === intent.eventId && program_id === intent.programId);
	if (own.length > 1) findings.add(intent, 'doubled', `event ${intent.eventId} is in the inbox ${own.length} times`);
	if (!own[0] && acknowledgements(intent).length > 0) findings.add(intent, 'lost', `event ${intent.eventId} is not in the inbox`);
	if (own[0] && own[0].state !== 'applied') findings.add(intent, 'wrong', `event ${intent.eventId} is ${own[0].state}`);
}

/** Checks a payment whose events have all been acknowledged. */
function compareCharge(charge: Charge, stored: Stored): string[] {
	const sale = stored.sales.get(charge.transactionId);
	if (!sale) return [`no sale of payment ${charge.transactionId}`];
	const due = {
		program: charge.programId,
		amount: charge.amountCents,
		charged: charge.chargedCents,
		refunded: halfUp(charge.amountCents, refundedOf(charge), charge.chargedCents),
		partner: charge.partnerProgramId,
		click: charge.clickId,
	};
	const found = {
		program: sale.program_id,
		amount: sale.amount_cents,
		charged: sale.charged_cents,
		refunded: sale.refunded_cents,
		partner: sale.partner_program_id,
		click: stored.customers.get(sale.customer_id ?? 0)?.click_id,
	};
	const [actual, expected] = [JSON.stringify(found), JSON.stringify(due)];
	return actual === expected ? [] : [`payment ${charge.transactionId} is ${actual}, should be ${expected}`];
}

/** Payouts and clicks are only counted: there may be at most as many as there were requests without a response. */
function findStrays(journal: Journal, stored: Stored): string[] {
	const strays: string[] = [];
	const { rows } = stored;
	const meant = <Kind extends Journal['intents'][number]['kind']>(kind: Kind) =>
		journal.intents.filter((intent): intent is Extract<Journal['intents'][number], { kind: Kind }> => intent.kind === kind);

	const transactions = new Set([...meant('sale'), ...journal.charges].map(({ transactionId }) => transactionId));
	for (const sale of rows.sales) if (!transactions.has(sale.processor_event_id)) strays.push(`nobody sent sale ${sale.processor_event_id}`);

	const refunds = new Set(meant('refund').map(({ transactionId, refundId }) => `${transactionId} ${refundId}`));
	const sales = byId<SaleRow>(rows.sales);
	for (const refund of rows.refunds) {
		if (refund.source === 'processor') continue;
		const name = `${sales.get(refund.sale_id)?.processor_event_id} ${refund.refund_id}`;
		if (!refunds.has(name)) strays.push(`nobody sent refund ${name}`);
	}

	const led = new Set(meant('lead').map(({ clickId }) => clickId));
	for (const clickId of stored.leadsOfClick.keys()) if (!led.has(clickId ?? '')) strays.push(`nobody sent a lead of ${clickId}`);

	const acknowledged = new Set(
		meant('payout').flatMap((intent) =>
			acknowledgements(intent).flatMap(({ body }) => (body['data'] as { id: number }[]).map(({ id }) => id)),
		),
	);
	const unacknowledged = new Set(rows.payouts.filter(({ id }) => !acknowledged.has(id)).map(({ op_id }) => op_id));
	const unanswered = meant('payout').flatMap(({ answers }) => answers.filter(({ status }) => status === 'unknown')).length;
	if (unacknowledged.size > unanswered)
		strays.push(`${unacknowledged.size} payouts that no answer reported, but only ${unanswered} requests without an answer`);

	const answered = new Set(journal.clicks);
	const further = rows.clicks.filter(({ click_id }) => !answered.has(click_id)).length;
	if (further > journal.unknownClicks)
		strays.push(`${further} clicks that no answer reported, but only ${journal.unknownClicks} requests without an answer`);
	return strays;
}

/** Clicks that the local queue held in memory when the server died, and their leads and sales. */
export function unflushedClicks(journal: Journal, rows: Rows): { clicks: number; leads: number; sales: number } {
	const landed = new Set(rows.clicks.map(({ click_id }) => click_id));
	const missing = new Set(journal.clicks.filter((clickId) => !landed.has(clickId)));
	const of = (kind: 'lead' | 'sale') =>
		journal.intents.filter(
			(intent) =>
				intent.kind === kind &&
				'clickId' in intent &&
				missing.has(intent.clickId) &&
				(acknowledgements(intent).length > 0 || foundRecorded(intent)),
		).length;
	return { clicks: missing.size, leads: of('lead'), sales: of('sale') };
}
