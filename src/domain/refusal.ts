import type { Rejection, RejectionCode } from './rejection.ts';

/** The readable fields of a refused call, for the log of refusals. */
export interface RefusedCall {
	readonly operation: 'lead' | 'sale' | 'refund';
	/** `page`: a call from a browser, without the program key. */
	readonly source: 'backend' | 'page';
	readonly transactionId: string | null;
	readonly clickId: string | null;
	readonly customerKey: string | null;
	/** Minor units. */
	readonly amountCents: number | null;
	readonly currency: string | null;
}

/**
 * Refusals that occur all day if a backend reports everything: customers without a partner, and known sign-ups. They fill at most half of a
 * program's log, so that they never displace actual mistakes.
 */
const ROUTINE: ReadonlySet<RejectionCode> = new Set([
	'customer_unattributed',
	'paid_before_click',
	'subscribed_before_click',
	'lead_status_locked',
]);

/** Pages are routine too, because anybody can make a page send anything. */
export function isRoutine(source: RefusedCall['source'], code: RejectionCode): boolean {
	return source === 'page' || ROUTINE.has(code);
}

/** An unknown caller has no log. Repeating a recorded sale or calling too often is not a mistake. */
export function isLogged({ status, code }: { readonly status: number; readonly code: RejectionCode }): boolean {
	return status !== 401 && status !== 429 && code !== 'transaction_already_recorded';
}

/** The `error` of the response, plus its details if the error alone does not say what is wrong. */
export function loggedMessage({ code, message, fields }: Pick<Rejection, 'code' | 'message' | 'fields'>): string {
	const detail = fields['message'];
	return code === 'transaction_recorded_differently' && typeof detail === 'string' ? `${message} ${detail}` : message;
}

/** The stored fields of a body, as sent; null if they have the wrong type. */
export function refusedCallOf(operation: RefusedCall['operation'], source: RefusedCall['source'], sent: unknown): RefusedCall {
	const fields: Readonly<Record<string, unknown>> = typeof sent === 'object' && sent !== null ? { ...sent } : {};
	const amount = fields['amount_cents'] ?? fields['refund_amount_cents'];
	const currency = fields['currency'];
	return {
		operation,
		source,
		transactionId: idOf(fields['transaction_id']),
		clickId: idOf(fields['click_id']),
		customerKey: idOf(fields['customer_key']),
		amountCents: typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null,
		currency: typeof currency === 'string' && /^[A-Za-z]{3}$/.test(currency) ? currency.toUpperCase() : null,
	};
}

const ID_LENGTH = 255;

function idOf(value: unknown): string | null {
	return typeof value === 'string' && value.trim() !== '' && value.length <= ID_LENGTH
		? value.toWellFormed().replaceAll('\u0000', '')
		: null;
}
