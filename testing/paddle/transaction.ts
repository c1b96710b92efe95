import { type PriceData, priceObject, productObject } from './price.ts';
import { timestamp, paddleId, type Setting, totals } from './wire.ts';

export type Origin = 'api' | 'subscription_charge' | 'subscription_recurring' | 'subscription_update' | 'web';

export interface TransactionData {
	readonly id: string;
	readonly lineId: string;
	readonly origin: Origin;
	readonly subscription: string | null;
	/** In minor units, after the discount, including tax. */
	readonly amount: number;
	readonly tax: number;
	/** The customer's credit balance pays this part. */
	readonly credit: number;
	readonly isProration: boolean;
	readonly price: PriceData;
	readonly period: { readonly start: number; readonly end: number } | undefined;
	readonly createdAt: number;
	readonly paidAt: number;
}

/** The amount paid in cash, and its tax. */
export function cashOf({ amount, credit, tax }: TransactionData) {
	const cash = amount - credit;
	return { cash, cashTax: amount === 0 ? 0 : Math.round((tax * cash) / amount) };
}

/** At `transaction.paid` it has no payout and often no subscription yet. */
export function transactionObject(setting: Setting, transaction: TransactionData, status: 'completed' | 'paid') {
	const { price, period } = transaction;
	const isDone = status === 'completed';
	const rest = proration(transaction);
	return {
		id: transaction.id,
		items: [{ price: priceObject(setting, price), quantity: 1, proration: rest }],
		origin: transaction.origin,
		status,
		details: {
			totals: totalsOf(setting, transaction, isDone),
			line_items: [
				{
					id: transaction.lineId,
					totals: totals(transaction.amount, transaction.tax),
					product: productObject(price),
					price_id: price.id,
					quantity: 1,
					tax_rate: transaction.tax === 0 ? '0' : '0.19',
					proration: rest,
					unit_totals: totals(transaction.amount, transaction.tax),
				},
			],
			payout_totals: isDone ? { ...totalsOf(setting, transaction, isDone), exchange_rate: '1', fee_rate: '0.05' } : null,
			tax_rates_used: [{ totals: totals(transaction.amount, transaction.tax), tax_rate: transaction.tax === 0 ? '0' : '0.19' }],
			adjusted_totals: isDone ? { ...totalsOf(setting, transaction, isDone), retained_fee: '0' } : null,
			adjusted_payout_totals: null,
		},
		checkout: { url: 'https://shop.example/pay' },
		payments: paymentsOf(transaction),
		billed_at: timestamp(transaction.paidAt),
		address_id: `add_${setting.customer.slice(4)}`,
		created_at: timestamp(transaction.createdAt),
		invoice_id: null,
		revised_at: null,
		updated_at: timestamp(transaction.paidAt),
		business_id: null,
		custom_data: setting.customData,
		customer_id: setting.customer,
		discount_id: null,
		currency_code: setting.currency,
		billing_period: period === undefined ? null : { ends_at: timestamp(period.end), starts_at: timestamp(period.start) },
		invoice_number: null,
		billing_details: null,
		collection_mode: 'automatic',
		subscription_id: isDone || transaction.origin.startsWith('subscription') ? transaction.subscription : null,
	};
}

function totalsOf({ currency }: Setting, transaction: TransactionData, isDone: boolean) {
	const { cash, cashTax } = cashOf(transaction);
	const fee = Math.round(cash * 0.05);
	return {
		...totals(transaction.amount, transaction.tax),
		fee: isDone ? String(fee) : null,
		credit: String(transaction.credit),
		credit_to_balance: '0',
		balance: '0',
		earnings: isDone ? String(cash - cashTax - fee) : null,
		grand_total: String(cash),
		grand_total_tax: String(cashTax),
		currency_code: currency,
	};
}

/** A captured payment, after an earlier one that failed. */
function paymentsOf(transaction: TransactionData) {
	const { cash } = cashOf(transaction);
	if (cash === 0) return [];
	const card = { type: 'visa', last4: '4242', expiry_year: 2030, expiry_month: 12, cardholder_name: 'Jo Example' };
	const attempt = {
		amount: String(cash),
		method_details: { card, paypal: null, south_korea_local_card: null, type: 'card', underlying_details: null },
		stored_payment_method_id: crypto.randomUUID(),
	};
	return [
		{
			...attempt,
			status: 'captured',
			created_at: timestamp(transaction.paidAt - 6_000),
			error_code: null,
			captured_at: timestamp(transaction.paidAt),
			payment_attempt_id: crypto.randomUUID(),
		},
		{
			...attempt,
			status: 'error',
			created_at: timestamp(transaction.paidAt - 60_000),
			error_code: 'declined',
			captured_at: null,
			payment_attempt_id: crypto.randomUUID(),
		},
	];
}

function proration({ isProration, period }: TransactionData) {
	if (!isProration || period === undefined) return null;
	return { rate: '0.5', billing_period: { ends_at: timestamp(period.end), starts_at: timestamp(period.start) } };
}

export function transactionData(transaction: Omit<TransactionData, 'id' | 'lineId'>): TransactionData {
	return { ...transaction, id: paddleId('txn'), lineId: paddleId('txnitm') };
}
