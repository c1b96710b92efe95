import { env } from 'cloudflare:workers';
import { openContext } from '../../src/context.ts';
import { Rejection } from '../../src/domain/rejection.ts';
import type { PaymentFact, Reversal, ReversalFact } from '../../src/domain/processors/processor-event.ts';
import { type PaymentReceipt, recordPayment, recordReversal, type ReversalReceipt } from '../../testing/service/payments.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { aLead, type Funnel, rows } from './funnel.ts';
import { unique } from './world.ts';

// A payment processor's facts, passed directly to the operations.

/** Effects are not delivered. The connection may be bad. */
export function context(DB: D1Database = env.DB, now?: number) {
	return openContext({ ...env, DB, EFFECTS: holdingQueue() }, { waitUntil: () => undefined }, now);
}

export interface PaymentIds {
	/** The sale's transaction_id. */
	readonly intent: string;
	readonly charge: string;
	readonly invoice: string;
}

export function paymentIds(): PaymentIds {
	return { intent: unique('pi'), charge: unique('ch'), invoice: unique('in') };
}

/** 100.00 USD that count in full. Overrides apply to the sale or the fact. */
export function aPaymentFact(
	ids: PaymentIds,
	overrides: Partial<Omit<PaymentFact, 'sale'>> & { readonly sale?: Partial<PaymentFact['sale']> } = {},
): PaymentFact {
	const { sale, ...fact } = overrides;
	return {
		kind: 'payment',
		attribution: { customerKey: undefined, clickId: undefined, programId: undefined, processorIds: [] },
		paymentIds: Object.values(ids),
		invoiceId: undefined,
		chargedCents: 10_000,
		paidAt: Date.now(),
		...fact,
		sale: {
			transactionId: ids.intent,
			amountCents: 10_000,
			currency: 'USD',
			saleType: 'payment',
			isRecurring: false,
			subscriptionId: undefined,
			subscriptionInterval: undefined,
			productId: undefined,
			lineItems: undefined,
			...sale,
		},
	};
}

export interface PaidSale {
	readonly ids: PaymentIds;
	readonly customerKey: string;
	readonly receipt: PaymentReceipt;
}

export async function aPayment(funnel: Funnel, overrides: Parameters<typeof aPaymentFact>[1] = {}): Promise<PaidSale> {
	const ids = paymentIds();
	const customerKey = await aLead(funnel);
	const receipt = await pay(funnel, aPaymentFact(ids, overrides), { customerKey });
	return { ids, customerKey, receipt };
}

export async function pay(
	funnel: Pick<Funnel, 'id'>,
	fact: PaymentFact,
	by: { readonly customerKey?: string; readonly clickId?: string },
	{ DB = env.DB, opId = unique('op'), isTest = false }: { DB?: D1Database; opId?: string; isTest?: boolean } = {},
): Promise<PaymentReceipt> {
	return recordPayment(context(DB), funnel.id, { fact, customerKey: by.customerKey, clickId: by.clickId, isTest }, opId);
}

/** Overrides apply to the reversal. */
export function aReversalFact(
	paidBy: readonly string[],
	amountCents: number,
	overrides: Partial<Reversal> = {},
	fact: Partial<Pick<ReversalFact, 'currency' | 'reason'>> = {},
): ReversalFact {
	return {
		kind: 'reversal',
		paymentIds: paidBy,
		invoiceId: undefined,
		currency: 'USD',
		reason: undefined,
		...fact,
		reversal: {
			kind: 'refund',
			id: unique('re'),
			amountCents,
			happenedAt: 1_000_000,
			undoneAt: undefined,
			chargeId: undefined,
			chargeCents: undefined,
			...overrides,
		},
	};
}

export function reportReversal(
	funnel: Pick<Funnel, 'id'>,
	fact: ReversalFact,
	{ DB = env.DB, opId = unique('op'), isTest = false }: { DB?: D1Database; opId?: string; isTest?: boolean } = {},
): Promise<ReversalReceipt | undefined> {
	return recordReversal(context(DB), funnel.id, isTest, fact, opId);
}

export function undone(fact: ReversalFact, undoneAt = 2_000_000): ReversalFact {
	return { ...fact, reversal: { ...fact.reversal, undoneAt } };
}

/** `refunded of amount, status deducted of commission`. */
export async function stateOf(saleId: number): Promise<string> {
	const [row] = await rows<Record<string, number | string | null>>(
		`SELECT s.amount_cents, s.refunded_cents, c.status, c.deducted_cents, c.amount_cents AS commission
		FROM affiliate_sale_events s LEFT JOIN commissions c ON c.sale_id = s.id WHERE s.id = ?`,
		saleId,
	);
	const commission = row?.['status'] === null ? 'no commission' : `${row?.['status']} ${row?.['deducted_cents']} of ${row?.['commission']}`;
	return `${row?.['refunded_cents']} of ${row?.['amount_cents']}, ${commission}`;
}

export async function aliasesOf(saleId: number): Promise<string[]> {
	const found = await rows<{ alias: string }>('SELECT alias FROM sale_aliases WHERE sale_id = ? ORDER BY alias', saleId);
	return found.map(({ alias }) => alias);
}

/** `source outcome amount deduction`, oldest first. */
export async function refundsOf(saleId: number): Promise<string[]> {
	const found = await rows<Record<string, string | number | null>>(
		'SELECT source, outcome, amount_cents, deduction_cents FROM refund_events WHERE sale_id = ? ORDER BY id',
		saleId,
	);
	return found.map((event) => Object.values(event).join(' '));
}

export async function refusalOf(recorded: Promise<unknown>): Promise<unknown> {
	return recorded.then(
		() => 'not refused',
		(error: unknown) => (error instanceof Rejection ? error.code : error),
	);
}
