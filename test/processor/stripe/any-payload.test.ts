import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProcessorFact } from '../../../src/domain/processors/processor-event.ts';
import { readStripeEvent, stripeEnvelope, STRIPE_EVENT_TYPES } from '../../../src/processor/stripe/read-event.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import type { Story } from '../../../testing/stripe/story-types.ts';
import type { StripeEvent } from '../../../testing/stripe/wire.ts';
import { spoils, withSpoilt } from '../../support/spoilt.ts';

function fullStories(): Story[] {
	const metadata = { tracker_customer_key: 'user_1', program_id: '5' };
	const single = stripeStory({ amount: 11_900, tax: 1900, metadata, withInvoice: true });
	const monthly = stripeStory({ mode: 'subscription', amount: 5950, tax: 950, taxBehavior: 'inclusive', metadata });
	const trial = stripeStory({ mode: 'subscription', interval: 'annual', trialDays: 14, metadata });
	monthly.renew();
	monthly.renew({ paidFromBalance: 1000, billingReason: 'subscription_update' });
	trial.renew();
	for (const story of [single, monthly, trial]) {
		const last = story.payments.at(-1);
		last?.refund(1000, 'requested_by_customer');
		last?.refund(2000);
		last?.creditNote({ toBalance: 100, outOfBand: 200 });
		last?.dispute();
	}
	return [single, monthly, trial];
}

function eventsOf(story: Story): StripeEvent[] {
	const { checkout, subscription, payments } = story;
	return [
		checkout.completed('unpaid'),
		checkout.asyncPaymentSucceeded(),
		checkout.asyncPaymentFailed(),
		checkout.expired(),
		...(story.ids.subscription === undefined ? [] : [subscription.updated(), subscription.deleted()]),
		...payments.flatMap((payment) => [
			...payment.events(),
			...payment.refunds.flatMap((refund) => [
				refund.created('pending'),
				refund.updated('succeeded'),
				refund.chargeRefundUpdated('canceled'),
				refund.failed(),
				refund.chargeRefunded(),
			]),
			...payment.creditNotes.flatMap((note) => [note.created(), note.updated(), note.voided()]),
			...payment.disputes.flatMap((dispute) => [
				dispute.created(),
				dispute.updated('under_review'),
				dispute.fundsWithdrawn(),
				dispute.closed('won'),
				dispute.fundsReinstated(),
			]),
		]),
	];
}

/** The facts in a timeline's events, without ids. */
function reportedBy(story: Story) {
	return eventsOf(story)
		.map((event) => ({ type: event.type, facts: readStripeEvent(event, 'net').facts.map(withoutIds) }))
		.filter(({ type, facts }) => type !== 'invoice_payment.paid' && facts.length > 0);
}

function withoutIds(fact: ProcessorFact) {
	return 'paymentIds' in fact ? { ...fact, paymentIds: [], invoiceId: undefined } : fact;
}

function idsTiedBy(story: Story): string[][] {
	let groups: string[][] = [];
	const facts = eventsOf(story).flatMap((event) => readStripeEvent(event, 'net').facts);
	for (const fact of facts) {
		if (!('paymentIds' in fact)) continue;
		const isTied = (group: string[]) => group.some((id) => fact.paymentIds.includes(id));
		const together = new Set([...fact.paymentIds, ...groups.filter(isTied).flat()]);
		groups = [...groups.filter((group) => !isTied(group)), [...together]];
	}
	return groups.map((group) => group.sort()).sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

describe('the same timeline in both shapes', () => {
	test.each(fullStories())('gives the same facts and links the same ids', (story) => {
		expect(reportedBy(story.in('old'))).toEqual(reportedBy(story.in('new')));
		expect(idsTiedBy(story.in('old'))).toEqual(idsTiedBy(story.in('new')));
	});

	test('covers every type that is read', () => {
		const types = fullStories().flatMap((story) => eventsOf(story).map(({ type }) => type));
		// No timeline has promotion codes: see coupons.test.ts.
		const ofCodes = ['promotion_code.created', 'promotion_code.updated', 'customer.discount.created'];
		expect(new Set<string>([...types, ...ofCodes])).toEqual(new Set(STRIPE_EVENT_TYPES));
	});
});

/** Holds for every event that the parser accepts. */
function expectSound(event: unknown) {
	const reported = readStripeEvent(event, 'net');
	expect(reported.summary).not.toBe('');
	for (const fact of reported.facts) {
		if (fact.kind === 'payment') {
			expect(fact.sale.amountCents).toBeGreaterThan(0);
			expect(fact.chargedCents).toBeLessThanOrEqual(99_999_999_999);
			expect(fact.paymentIds).toContain(fact.sale.transactionId);
			// If only one of a payment's two events had the product, its commission would depend on their order.
			if (fact.sale.subscriptionId === undefined) expect(fact.sale.productId).toBeUndefined();
		}
		if ('invoiceId' in fact && fact.invoiceId !== undefined) expect(fact.paymentIds).toContain(fact.invoiceId);
		if (fact.kind === 'reversal') {
			expect(fact.reversal.amountCents).toBeGreaterThanOrEqual(0);
			expect(fact.paymentIds.length).toBeGreaterThan(0);
		}
		if (fact.kind === 'payment_ids') expect(fact.paymentIds.length).toBeGreaterThan(1);
		if ('attribution' in fact && fact.kind === 'binding') expect(fact.attribution.processorIds.length).toBeGreaterThan(0);
	}
	// Reading an event again gives the same result.
	expect(readStripeEvent(event, 'net')).toEqual(reported);
}

describe('any payload', () => {
	const events = fullStories().flatMap((story) => [...eventsOf(story.in('new')), ...eventsOf(story.in('old'))]);

	test('that is JSON is read without a fault', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				expectSound(value);
				expect(stripeEnvelope(value)).toBeUndefined();
			}),
		);
	});

	test('of a known type is read without a fault, whatever its object is', () => {
		const types = fc.constantFrom(...STRIPE_EVENT_TYPES);
		fc.assert(
			fc.property(types, fc.jsonValue(), (type, object) =>
				expectSound({ id: 'evt_1', type, created: 1_790_000_000, livemode: true, data: { object } }),
			),
		);
	});

	test('from Stripe and damaged anywhere is read without a fault', () => {
		fc.assert(
			fc.property(fc.constantFrom(...events), spoils, (event, changes) => {
				expectSound(withSpoilt(event, changes));
			}),
			{ numRuns: 1000 },
		);
	});
});
