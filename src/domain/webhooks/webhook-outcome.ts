/** A delivery is `pending` until it is accepted or given up. After that it can be replayed. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

export type WebhookError = 'status' | 'redirect' | 'timeout' | 'unreachable' | 'address' | 'disabled';

export const WEBHOOK_ERRORS = {
	status: 'The answer was not 2xx',
	redirect: 'The answer was a redirect, which is not followed: enter the address that it leads to',
	timeout: 'There was no answer within 15 seconds',
	unreachable: 'There was no connection, or it broke off',
	address: 'The address is not one of the public web that webhooks are sent to',
	disabled: 'The webhook was disabled or deleted before it was sent',
} as const satisfies Record<WebhookError, string>;
