import type { Rejection, RejectionCode } from './rejection.ts';

/** What a call that was refused asked for, as far as it could be read: for the program's log of refusals. */
export interface RefusedCall {
	readonly operation: 'lead' | 'sale' | 'refund';
	/** `page`: a browser's call, without the program key. */
	readonly source: 'backend' | 'page';
	readonly transactionId: string | null;
	readonly clickId: string | null;
	readonly customerKey: string | null;
	/** Minor units. */
	readonly amountCents: number | null;
	readonly currency: string | null;
}

/**
 * What whoever reports everything is told all day: customers whom no partner brought, and signups that are known. Of a program's
 * log they get half at most, so that they never drive out what is to be corrected.
 */
const ROUTINE: ReadonlySet<RejectionCode> = new Set([
	'customer_unattributed',
	'paid_before_click',
	'subscribed_before_click',
	'lead_status_locked',
]);

/** Anybody may make a page send anything. */
export function isRoutine(source: RefusedCall['source'], code: RejectionCode): boolean {
	return source === 'page' || ROUTINE.has(code);
}

/** Nobody is told where who asks is unknown; and to send a sale again that is recorded, or too often, is no mistake in it. */
export function isLogged({ status, code }: { readonly status: number; readonly code: RejectionCode }): boolean {
	return status !== 401 && status !== 429 && code !== 'transaction_already_recorded';
}

/** What the list shows: the `error` that was answered, and what the answer said beside it if that alone does not tell what is wrong. */
export function loggedMessage({ code, message, fields }: Pick<Rejection, 'code' | 'message' | 'fields'>): string {
	const detail = fields['message'];
	return code === 'transaction_recorded_differently' && typeof detail === 'string' ? `${message} ${detail}` : message;
}

/** The fields of a body that are kept, as sent; null for what is not of the kind. */
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
