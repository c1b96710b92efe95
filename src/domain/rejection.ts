/**
 * Every final refusal, with its message (contract, section 7). A rejection is a 4xx over HTTP and an acknowledged message on a queue;
 * anything else thrown is a fault.
 */
export const REJECTIONS = {
	invalid_input: [400, '{message}'],
	body_too_large: [413, 'Request body is larger than {limit}.'],
	not_found: [404, '{message}'],
	conflict: [409, '{message}'],
	forbidden: [403, '{message}'],
	gone: [410, '{message}'],
	too_many_requests: [429, 'Too many requests. Wait {seconds} seconds and try again.'],

	too_many_tries: [
		429,
		'Too many passwords were tried from networks or browsers that are new to this account. Wait {seconds} seconds, sign in from a network or browser that you have used before, or reset the password by email.',
	],

	authorization_missing: [401, 'Authorization header is required: Authorization: Bearer <API_KEY>'],
	program_key_empty: [401, 'The Bearer token is empty: send Authorization: Bearer <API_KEY>'],
	program_key_unknown: [401, 'Invalid API key: the token matches no active program'],
	program_key_is_session: [
		401,
		'Invalid API key: this is the token of a session, for people. Send the program key, which the settings of the program show to owners and admins',
	],
	session_missing: [401, 'Sign in first: send Authorization: Bearer <session token>'],
	joiner_missing: [
		401,
		'Sign in first: send Authorization: Bearer <session token>. Or send name and password to sign up with the invited address',
	],
	session_unknown: [401, 'The session has ended or is unknown: sign in again'],
	sign_in_failed: [401, 'Unknown email or wrong password'],
	not_own_page: [
		403,
		'Session cookies work only on the pages of this service, and this request does not come from one. Leave out cookie when you sign in, and send the token from the response: Authorization: Bearer <session token>',
	],
	not_a_member: [403, 'You are not an active member of this workspace'],
	origin_not_allowed: [403, 'Origin not allowed'],
	customer_key_from_browser: [
		403,
		'customer_key is accepted only with the program key, because this program accepts customer keys only from its backend',
	],

	affiliate_url_required: [400, 'affiliate_url is required'],
	affiliate_url_invalid: [400, 'Invalid affiliate_url'],
	aff_missing: [400, 'No aff parameter found in affiliate_url'],
	referral_link_not_found: [400, 'Referral link not found'],
	referral_link_misconfigured: [400, 'Invalid referral link configuration'],
	redirect_unknown: [404, 'Referral link not found'],
	redirect_unproved: [
		404,
		'The domain of this program is not verified yet. GET /api/v1/programs/<id>/domain explains how to verify it. Until then its links work on other hosts',
	],
	redirect_nowhere: [404, 'This referral link has no destination yet. Set its destination_url or the domain of its program'],

	lead_identity_required: [400, 'click_id or customer_key is required'],
	lead_customer_not_found: [400, 'Customer not found. Provide a valid click_id or customer_key.'],
	lead_customer_elsewhere: [400, 'Customer does not belong to this program'],
	lead_status_locked: [400, 'Customer status cannot be updated to lead. Current status: {status}'],

	sale_customer_not_found: [400, 'Customer not found. Provide customer_key or click_id.'],
	sale_customer_elsewhere: [400, 'No affiliate attribution found for this customer in this program'],
	partner_program_gone: [400, 'No partner-program relationship found for this customer'],
	customer_unattributed: [400, 'partnerId required to create commission'],
	// A click after the payment or subscription does not count (decision 41).
	paid_before_click: [400, 'partnerId required to create commission'],
	subscribed_before_click: [400, 'partnerId required to create commission'],
	transaction_already_recorded: [409, 'Duplicate transaction_id. This sale has already been recorded.'],
	transaction_recorded_differently: [409, 'Duplicate transaction_id. This sale has already been recorded.'],
	transaction_recorded_elsewhere: [409, 'Duplicate transaction_id. This sale has already been recorded.'],

	event_differs: [
		409,
		'The webhook-id {id} was already used for a different event: {fields} differ. Nothing was changed. Use a new webhook-id for each event, and resend an event without changes.',
	],

	earnings_owed: [409, 'You would give up what you are not paid yet: {amounts}. Wait until you are paid, or send give_up_earnings: true'],

	sale_not_found: [404, 'Sale not found for transaction_id'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RejectionCode = keyof typeof REJECTIONS;

/** A final response to the caller, thrown by a domain operation and sent by http/. */
export class Rejection extends Error {
	readonly code: RejectionCode;
	readonly status: (typeof REJECTIONS)[RejectionCode][0];
	/** In addition to `error`. */
	readonly fields: Readonly<Record<string, unknown>>;
	/** Set if the refusal is only temporary. */
	readonly retryAfterSeconds: number | undefined;

	constructor(code: RejectionCode, values: Readonly<Record<string, string | number>> = {}, fields: Readonly<Record<string, unknown>> = {}) {
		const [status, message] = REJECTIONS[code];
		super(message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')));
		this.name = 'Rejection';
		this.code = code;
		this.status = status;
		this.fields = fields;
		this.retryAfterSeconds = this.status === 429 ? Number(values['seconds']) : undefined;
	}
}

/** 400: the message names the field and the expected value. */
export function invalid(message: string): Rejection {
	return new Rejection('invalid_input', { message });
}

/** 409: the request conflicts with what is stored. */
export function conflict(message: string): Rejection {
	return new Rejection('conflict', { message });
}

/** 429, with the number of seconds to wait. */
export function tooManyRequests(seconds: number): Rejection {
	return new Rejection('too_many_requests', { seconds });
}

/** 404: it does not exist, or the caller may not see it. */
export function notFound(what: string): Rejection {
	return new Rejection('not_found', { message: `${what} not found` });
}
