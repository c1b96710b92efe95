import { describe, expect, test } from 'vitest';
import { messageOf, type NotificationDetail, type NotificationKind } from '../../../src/domain/people/notification.ts';

const reported = (kind: NotificationKind, detail: Omit<NotificationDetail, 'currency'>, currency = 'USD') =>
	messageOf(kind, { currency, ...detail }, 'Shop');

describe('a partner is notified', () => {
	test.each<[NotificationKind, Omit<NotificationDetail, 'currency'>, string]>([
		['commission_created', { amount_cents: 1_999, status: 'approved' }, 'You earned 19.99 USD in Shop.'],
		['commission_created', { amount_cents: 1_999, status: 'pending' }, 'You earned 19.99 USD in Shop. It is on hold for now.'],
		[
			'commission_reversed',
			{ commission_id: 7, deduction_cents: 500, status: 'reversed' },
			'Your commission #7 in Shop was reversed because its sale was refunded: 5.00 USD was deducted.',
		],
		[
			'commission_reversed',
			{ commission_id: 7, deduction_cents: 500, status: 'refunded', reason: 'broken' },
			'Your commission #7 in Shop was reduced by 5.00 USD because its sale was partly refunded. Reason: broken',
		],
		[
			'commission_reversed',
			{ commission_id: 7, deduction_cents: 500, status: 'reversed', reason: 'broken' },
			'Your commission #7 in Shop was reversed because its sale was refunded: 5.00 USD was deducted. Reason: broken',
		],
		['commission_reinstated', { commission_id: 7, deduction_cents: 500 }, 'Your commission #7 in Shop was reinstated by 5.00 USD.'],
		[
			'commission_reinstated',
			{ commission_id: 7, deduction_cents: 500, withheld_cents: 300, reason: 'The dispute was won' },
			'Your commission #7 in Shop was reinstated by 5.00 USD. Of that, 3.00 USD was withheld because your balance could not cover an earlier refund. Reason: The dispute was won',
		],
		[
			'commission_rejected',
			{ commission_id: 7, amount_cents: 1_999, reason: 'fraud' },
			'Your commission #7 of 19.99 USD in Shop was rejected. Reason: fraud',
		],
		['commission_rejected', { commissions: 12, amount_cents: 1_999 }, '12 of your commissions in Shop, 19.99 USD in all, were rejected.'],
		[
			'payout_made',
			{ payout_id: 3, amount_cents: 1_999 },
			'A payout of 19.99 USD was made for Shop. You get another notification when it is sent.',
		],
		[
			'payout_made',
			{ payout_id: 3, amount_cents: 1_999, recovered_cents: 0 },
			'A payout of 19.99 USD was made for Shop. You get another notification when it is sent.',
		],
		[
			'payout_made',
			{ payout_id: 3, amount_cents: 1_999, recovered_cents: 1 },
			'A payout of 19.99 USD was made for Shop. 0.01 USD was deducted for an earlier debt. You get another notification when it is sent.',
		],
		[
			'payout_made',
			{ payout_id: 3, amount_cents: 0, recovered_cents: 300 },
			'Nothing was paid out for Shop: 3.00 USD was deducted for an earlier debt.',
		],
		['payout_made', { payout_id: 3, amount_cents: 0, recovered_cents: 0 }, 'A payout of 0.00 USD was made for Shop.'],
		[
			'payout_made',
			{ payout_id: 3, amount_cents: 1_999, surplus_cents: 500 },
			'A payout of 19.99 USD was made for Shop. 5.00 USD of it was credited back because a refund or payout failed or a dispute was won. You get another notification when it is sent.',
		],
		['payout_sent', { payout_id: 3, amount_cents: 1_999, reference: null }, 'Your payout #3 of 19.99 USD for Shop was sent.'],
		[
			'payout_sent',
			{ payout_id: 3, amount_cents: 1_999, reference: 'batch 7' },
			'Your payout #3 of 19.99 USD for Shop was sent (reference batch 7).',
		],
		[
			'payout_failed',
			{ payout_id: 3, amount_cents: 1_999, reason: 'account closed' },
			'Your payout #3 of 19.99 USD for Shop failed. The amount is back in your balance and will be in your next payout. Reason: account closed',
		],
	])('of %s with %j', (kind, detail, message) => {
		expect(reported(kind, detail)).toBe(message);
	});
});

test('the advertiser is asked to review refunds after payment', () => {
	expect(reported('manual_review', { commission_id: 7, deduction_cents: 500, reason: 'chargeback' })).toBe(
		"Please review commission #7 in Shop: its sale was refunded after the commission was paid out. 5.00 USD was deducted from the partner's balance, which may now be negative. Reason: chargeback",
	);
});

test('a null or empty reason is not mentioned', () => {
	for (const reason of [null, '']) {
		expect(reported('commission_rejected', { commission_id: 7, amount_cents: 1, reason })).toBe(
			'Your commission #7 of 0.01 USD in Shop was rejected.',
		);
	}
});

test('amounts have the decimals of their currency', () => {
	expect(reported('payout_made', { amount_cents: 500, recovered_cents: 20 }, 'JPY')).toBe(
		'A payout of 500 JPY was made for Shop. 20 JPY was deducted for an earlier debt. You get another notification when it is sent.',
	);
});
