import { expect, test } from 'vitest';
import { ASK_AGAIN_AFTER_MS, type AskedPartner, whyNotAskable } from '../../../src/domain/payouts/ask-details.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const ASKABLE: AskedPartner = { isAccepted: true, hasDetails: false, wantsEmail: true, askedAt: null };

test.each<[string, Partial<AskedPartner>, string | undefined]>([
	['was never asked', {}, undefined],
	['was asked a week ago', { askedAt: NOW - ASK_AGAIN_AFTER_MS }, undefined],
	[
		'was asked within a week',
		{ askedAt: NOW - ASK_AGAIN_AFTER_MS + 1 },
		'The partner was already asked. You can ask again from 2026-11-29T12:00:00.001Z',
	],
	['has details', { hasDetails: true, askedAt: NOW }, 'The partner has entered payout details'],
	['is nobody', { isAccepted: false }, 'Nobody has accepted the invitation yet. Invite the partner again instead'],
	['wants no email', { wantsEmail: false }, 'The partner has unsubscribed from emails. Ask them in another way'],
])('a partner who %s', (_, fields, reason) => {
	expect(whyNotAskable({ ...ASKABLE, ...fields }, NOW)).toBe(reason);
});
