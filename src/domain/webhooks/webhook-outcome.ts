/** `pending` until it is accepted or abandoned; then it can be replayed. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

export type WebhookError = 'status' | 'redirect' | 'timeout' | 'unreachable' | 'address' | 'disabled';

export const WEBHOOK_ERRORS = {
	status: 'The response status was not 2xx',
	redirect: 'The response was a redirect, which is not followed. Enter the address that it leads to',
	timeout: 'There was no response within 15 seconds',
	unreachable: 'The connection failed or broke off',
	address: 'The address is not on the public internet. Webhooks can only be sent to public addresses',
	disabled: 'The webhook was disabled or deleted before it was sent',
} as const satisfies Record<WebhookError, string>;
