import * as z from 'zod/mini';
import type { ReversalFact } from '../../domain/processors/processor-event.ts';
import { type EventContext, type EventReader, nothing, withFacts } from '../reading/event-reader.ts';
import { read, Ref, Text } from '../reading/fields.ts';
import { inWords, LooseTotals, type Money, moneyOf, untaxed } from './amounts.ts';
import { Instant } from './fields.ts';

const Adjustment = z.object({
	id: Ref,
	action: Text,
	status: Text,
	transaction_id: Ref,
	currency_code: Text,
	totals: LooseTotals,
	created_at: Instant,
});

type Adjustment = z.infer<typeof Adjustment>;

/** Omits Paddle's reason, because the business may write anything there and partners see our reasons. */
export const readAdjustment: EventReader = (object, event) => {
	const adjustment = read(Adjustment, object);
	if (adjustment?.id === undefined) return nothing('adjustment without an id');
	const { action, transaction_id: transactionId } = adjustment;
	// A credit either raises the customer's balance, whose use is not a sale, or lowers an invoice before it is paid.
	if (action === 'credit' || action === 'credit_reverse')
		return nothing('credit: what it pays later is not a sale, so nothing is deducted now');
	if (transactionId === undefined) return nothing('adjustment that names no transaction');
	const money = moneyOf(untaxed(adjustment.totals), adjustment.currency_code ?? adjustment.totals?.currency_code);
	if (!money) return nothing('adjustment with an amount or currency that cannot be read');
	const of = { transactionId, money, event };
	if (action === 'refund') return readRefund(adjustment, adjustment.id, of);
	return readDispute(adjustment, of);
};

interface Adjusted {
	readonly transactionId: string;
	readonly money: Money;
	readonly event: EventContext;
}

/** Counts from its creation, even before Paddle approves it, until it is rejected. */
function readRefund(adjustment: Adjustment, id: string, of: Adjusted) {
	if (of.money.cents === 0) return nothing('refund of nothing but tax');
	const isUndone = adjustment.status === 'rejected' || adjustment.status === 'reversed';
	const fact = reversalOf(adjustment, { kind: 'refund', id, isUndone }, of);
	return withFacts(`refund of ${inWords(of.money)}${isUndone ? ` that was ${adjustment.status}` : ''}`, fact);
}

/** Paddle has no other id that a dispute's beginning and end share. */
const DISPUTES: ReadonlyMap<string, { readonly ids: readonly string[]; readonly isUndone: boolean }> = new Map([
	['chargeback', { ids: ['chargeback'], isUndone: false }],
	['chargeback_warning', { ids: ['chargeback_warning'], isUndone: false }],
	// Also ends the warning that may have preceded the chargeback.
	['chargeback_reverse', { ids: ['chargeback', 'chargeback_warning'], isUndone: true }],
	['chargeback_warning_reverse', { ids: ['chargeback_warning'], isUndone: true }],
]);

/** A dispute counts from its beginning until it is won. */
function readDispute(adjustment: Adjustment, of: Adjusted) {
	const { action = '', status } = adjustment;
	const dispute = DISPUTES.get(action);
	if (!dispute) return nothing('adjustment of a kind that does not change a sale');
	const isUndone = dispute.isUndone || status === 'reversed' || status === 'rejected';
	const facts = dispute.ids.map((name) => reversalOf(adjustment, { kind: 'dispute', id: `${of.transactionId}:${name}`, isUndone }, of));
	return withFacts(`dispute over ${inWords(of.money)}${isUndone ? ' that was won' : ''}`, ...facts);
}

function reversalOf(
	{ created_at: createdAt }: Adjustment,
	{ kind, id, isUndone }: { readonly kind: 'refund' | 'dispute'; readonly id: string; readonly isUndone: boolean },
	{ transactionId, money, event }: Adjusted,
): ReversalFact {
	return {
		kind: 'reversal',
		paymentIds: [transactionId],
		invoiceId: undefined,
		currency: money.currency,
		reason: kind === 'dispute' ? 'chargeback' : undefined,
		reversal: {
			kind,
			id,
			amountCents: money.cents,
			happenedAt: createdAt ?? event.happenedAt,
			undoneAt: isUndone ? event.happenedAt : undefined,
			stoodAt: kind === 'dispute' && !isUndone ? event.happenedAt : undefined,
			chargeId: undefined,
			chargeCents: undefined,
		},
	};
}
