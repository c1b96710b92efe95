import type { Rejection, RejectionCode } from './rejection.ts';

export interface RefusedCall {
	readonly operation: 'lead' | 'sale' | 'refund';
	/** `page`: a call from a browser, without the program key. */
	readonly source: 'backend' | 'page';
	readonly transactionId: string | null;
	readonly clickId: string | null;
	readonly customerKey: string | null;
	readonly amountCents: number | null;
	readonly currency: string | null;
}

/** Only events of the custom webhook are refused with `event_differs`. */
export function senderOf({
	source,
	code,
}: {
	readonly source: RefusedCall['source'];
	readonly code: string;
}): RefusedCall['source'] | 'webhook' {
	return code === ('event_differs' satisfies RejectionCode) ? 'webhook' : source;
}

/**
 * Refusals that occur all day if a backend reports everything. They fill at most half of a program's log, so that they never displace real
 * mistakes.
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

/** Repeating a recorded sale or calling too often is not a mistake, and a caller without a valid key has no program to log it for. */
export function isLogged({ status, code }: { readonly status: number; readonly code: RejectionCode }): boolean {
	return status !== 401 && status !== 429 && code !== 'transaction_already_recorded';
}

/** The `error`, plus details if it alone does not say what is wrong. */
export function loggedMessage({ code, message, fields }: Pick<Rejection, 'code' | 'message' | 'fields'>): string {
	const detail = fields['message'];
	return code === 'transaction_recorded_differently' && typeof detail === 'string' ? `${message} ${detail}` : message;
}

/** Fields of the wrong type become null. */
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
