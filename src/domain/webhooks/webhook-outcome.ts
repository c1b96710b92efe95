/** `pending` until it was taken or given up; then both may be asked for again. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** What went wrong with an attempt. */
export type WebhookError = 'status' | 'redirect' | 'timeout' | 'unreachable' | 'address' | 'disabled';

/** The same in plain English. */
export const WEBHOOK_ERRORS = {
	status: 'The answer was not 2xx',
	redirect: 'The answer was a redirect, which is not followed: enter the address that it leads to',
	timeout: 'There was no answer within 15 seconds',
	unreachable: 'There was no connection, or it broke off',
	address: 'The address is not one of the public web that webhooks are sent to',
	disabled: 'The webhook was disabled or deleted before it was sent',
} as const satisfies Record<WebhookError, string>;
