/** In the order of lists. */
export const WEBHOOK_TYPES = [
	'lead.created',
	'sale.created',
	'commission.created',
	'commission.approved',
	'commission.rejected',
	'commission.reversed',
	'commission.reinstated',
	'refund.created',
	'payout.created',
	'payout.sent',
	'payout.failed',
	'partner.applied',
	'partner.created',
	'partner.suspended',
] as const;

export type WebhookType = (typeof WEBHOOK_TYPES)[number];

export const WEBHOOK_OCCASIONS = {
	'lead.created': 'A customer signed up.',
	'sale.created': 'A sale was recorded, with its commission if there is one.',
	'commission.created': 'A partner earned a commission, which may be on hold.',
	'commission.approved': 'A commission can be paid: its hold is over, or someone approved it.',
	'commission.rejected': 'A commission was rejected.',
	'commission.reversed': 'A refund or dispute reversed all or part of a commission.',
	'commission.reinstated': 'A commission was reinstated because a refund failed or a dispute was won.',
	'refund.created': 'A sale was refunded in full or in part.',
	'payout.created': 'A payout to a partner was made.',
	'payout.sent': 'A payout was marked as sent.',
	'payout.failed': 'A payout was marked as failed, and its amount is back in the partner’s balance.',
	'partner.applied': 'Someone applied to become a partner.',
	'partner.created': 'A partner joined the program.',
	'partner.suspended': 'A partner was suspended.',
} as const satisfies Record<WebhookType, string>;

/** All attempts and endpoints share it, so that receivers recognise repeated deliveries. */
export function webhookIdOf({ operation, type, subjectId }: { operation: string; type: string; subjectId: number }): string {
	return `msg_${type}_${subjectId}_${operation}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
