import { timestamp, type Setting, totals } from './wire.ts';

export type Action =
	| 'chargeback'
	| 'chargeback_reverse'
	| 'chargeback_warning'
	| 'chargeback_warning_reverse'
	| 'credit'
	| 'credit_reverse'
	| 'refund';

export type AdjustmentStatus = 'approved' | 'pending_approval' | 'rejected' | 'reversed';

export interface AdjustmentData {
	readonly id: string;
	readonly itemId: string;
	readonly lineId: string;
	readonly action: Action;
	readonly transaction: string;
	readonly subscription: string | null;
	readonly isFull: boolean;
	/** In minor units, tax included. */
	readonly amount: number;
	readonly tax: number;
	readonly createdAt: number;
}

export function adjustmentObject({ currency, customer }: Setting, adjustment: AdjustmentData, status: AdjustmentStatus) {
	const { amount, tax } = adjustment;
	const { discount: _, ...own } = totals(amount, tax);
	const type = adjustment.isFull ? 'full' : tax === amount ? 'tax' : 'partial';
	const sums = { ...own, fee: '0', earnings: own.subtotal, currency_code: currency, retained_fee: '0' };
	return {
		id: adjustment.id,
		type: adjustment.isFull ? 'full' : 'partial',
		items: [{ id: adjustment.itemId, type, amount: String(amount), totals: own, item_id: adjustment.lineId, proration: null }],
		action: adjustment.action,
		reason: 'requested by Jo Example',
		status,
		totals: sums,
		created_at: timestamp(adjustment.createdAt),
		updated_at: status === 'pending_approval' ? '0001-01-01T00:00:00Z' : timestamp(adjustment.createdAt),
		customer_id: customer,
		currency_code: currency,
		payout_totals: sums,
		tax_rates_used: [{ totals: own, tax_rate: tax === 0 ? '0' : '0.19' }],
		transaction_id: adjustment.transaction,
		subscription_id: adjustment.subscription,
		credit_applied_to_balance: adjustment.action === 'credit',
	};
}
