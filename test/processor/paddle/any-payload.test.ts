import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PADDLE_EVENT_TYPES, paddleEnvelope, readPaddleEvent } from '../../../src/processor/paddle/read-event.ts';
import { paddleStory } from '../../../testing/paddle/story.ts';
import type { PaddleEvent } from '../../../testing/paddle/wire.ts';
import { spoils, withSpoilt } from '../../support/spoilt.ts';

function allEvents(): PaddleEvent[] {
	const customData = { tracker_customer_key: 'user_1', program_id: '5' };
	const single = paddleStory({ amount: 11_900, tax: 1900, customData });
	const monthly = paddleStory({ mode: 'subscription', amount: 5_950, tax: 950, customData });
	const trial = paddleStory({ mode: 'subscription', interval: 'annual', trialDays: 14, customData });
	const payments = [
		single.first,
		monthly.first,
		monthly.renew(),
		monthly.renew({ origin: 'subscription_update', isProration: true }),
		trial.renew(),
	];
	return [
		trial.first.completed(),
		...[monthly, trial].flatMap(({ subscription }) => [subscription.created(), subscription.updated(), subscription.canceled()]),
		...payments.flatMap((payment) => {
			const adjustments = [
				payment.refund(1_000),
				payment.refund(),
				payment.credit(500),
				payment.dispute(),
				payment.dispute('chargeback_reverse'),
			];
			return [payment.completed(), ...adjustments.flatMap((one) => [one.created(), one.updated('approved'), one.updated('reversed')])];
		}),
	];
}

/** Holds for every event that the parser accepts. */
function expectSound(event: unknown, { type, happenedAt } = { type: 'transaction.completed', happenedAt: 0 }) {
	const reported = readPaddleEvent(event, { type, happenedAt }, 'net');
	expect(reported.summary).not.toBe('');
	for (const fact of reported.facts) {
		if (fact.kind === 'payment') {
			expect(fact.sale.amountCents).toBeGreaterThan(0);
			expect(fact.chargedCents).toBeGreaterThan(0);
			expect(fact.chargedCents).toBeLessThanOrEqual(99_999_999_999);
			expect(fact.paymentIds).toContain(fact.sale.transactionId);
		}
		if (fact.kind === 'reversal') {
			expect(fact.reversal.amountCents).toBeGreaterThanOrEqual(0);
			expect(fact.paymentIds.length).toBeGreaterThan(0);
		}
		if (fact.kind === 'binding') expect(fact.attribution.processorIds.length).toBeGreaterThan(0);
	}
	// Reading an event again gives the same result.
	expect(readPaddleEvent(event, { type, happenedAt }, 'net')).toEqual(reported);
}

describe('any payload', () => {
	const events = allEvents();
	const types = fc.constantFrom(...PADDLE_EVENT_TYPES);

	test('covers every type that is read', () => {
		const ofCodes = ['discount.created', 'discount.updated'];
		expect(new Set([...events.map(({ event_type }) => event_type), ...ofCodes])).toEqual(new Set(PADDLE_EVENT_TYPES));
	});

	test('that is JSON is read without a fault', () => {
		fc.assert(
			fc.property(fc.jsonValue(), types, (value, type) => {
				expectSound(value, { type, happenedAt: 0 });
				expect(paddleEnvelope(value)).toBeUndefined();
			}),
		);
	});

	test('of a known type is read without a fault, whatever its data is', () => {
		fc.assert(fc.property(types, fc.jsonValue(), (type, data) => expectSound({ data }, { type, happenedAt: 1_790_000_000_000 })));
	});

	test('from Paddle and damaged anywhere is read without a fault', () => {
		fc.assert(
			fc.property(fc.constantFrom(...events), spoils, (event, changes) => {
				expectSound(withSpoilt(event, changes), { type: event.event_type, happenedAt: 1_790_000_000_000 });
			}),
			{ numRuns: 1000 },
		);
	});
});
