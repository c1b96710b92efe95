import { describe, expect, test } from 'vitest';
import { readStripeEvent } from '../../../src/processor/stripe/read-event.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import { type StripeEvent, withObject } from '../../../testing/stripe/wire.ts';

const SHAPES = ['new', 'old'] as const;

function factOf(event: StripeEvent) {
	const { facts } = readStripeEvent(event, 'net');
	expect(facts).toHaveLength(1);
	return facts[0];
}

function nothingOf(event: StripeEvent): string {
	const { facts, summary } = readStripeEvent(event, 'net');
	expect(facts).toEqual([]);
	return summary;
}

describe.each(SHAPES)('a refund, as the %s API sends it', (shape) => {
	const payment = () => stripeStory({ shape, currency: 'eur' }).first;

	test.each(['succeeded', 'pending', 'requires_action'] as const)('that is %s counts, by its id', (status) => {
		const paid = payment();
		const refund = paid.refund(2500, 'requested_by_customer');
		const created = refund.created(status);
		const expected = {
			kind: 'reversal',
			paymentIds: [paid.ids.charge, paid.ids.paymentIntent],
			currency: 'EUR',
			reason: 'requested by customer',
			reversal: {
				kind: 'refund',
				id: refund.id,
				amountCents: 2500,
				happenedAt: created.created * 1000,
				undoneAt: undefined,
				chargeId: paid.ids.charge,
				chargeCents: undefined,
			},
		};
		expect(factOf(created)).toEqual(expected);
		expect(factOf(refund.updated(status))).toEqual(expected);
		expect(factOf(refund.chargeRefundUpdated(status))).toEqual(expected);
		expect(readStripeEvent(created, 'net').summary).toBe('refund of 25 EUR');
	});

	test.each(['failed', 'canceled'] as const)('that %s is undone from then on', (status) => {
		const refund = payment().refund(2500);
		const updated = refund.updated(status);
		expect(factOf(updated)).toMatchObject({
			reversal: {
				id: refund.id,
				amountCents: 2500,
				happenedAt: refund.created().created * 1000,
				undoneAt: updated.created * 1000,
			},
		});
		expect(readStripeEvent(updated, 'net').summary).toBe(`refund of 25 EUR that ${status}`);
	});

	test('that failed says why', () => {
		expect(factOf(payment().refund(2500, 'duplicate').failed())).toMatchObject({
			reason: 'expired or canceled card',
			reversal: { undoneAt: expect.any(Number) },
		});
	});

	test.each([
		['without an id', { id: null }, 'refund without an id'],
		['without an amount', { amount: null }, 'refund with an amount or currency that cannot be read'],
		['in an unknown currency', { currency: 'xyz' }, 'refund with an amount or currency that cannot be read'],
		['without a payment', { charge: null, payment_intent: null }, 'refund that names no payment'],
		['for an amount that was only authorized', { reason: 'expired_uncaptured_charge' }, 'refund of a charge that was never captured'],
	])('%s gives no fact', (_, fields, summary) => {
		expect(nothingOf(withObject(payment().refund().created(), fields))).toBe(summary);
	});
});

describe.each(SHAPES)('a refunded charge, as the %s API sends it', (shape) => {
	test('has the total amount refunded', () => {
		const { first } = stripeStory({ shape, currency: 'eur', withInvoice: true });
		const events = [first.refund(2500), first.refund(5000)].map((refund) => refund.chargeRefunded());
		const { charge, paymentIntent, invoice } = first.ids;
		expect(events.map(factOf)).toEqual(
			[2500, 7500].map((amountCents, index) => {
				const seconds = events[index]?.created ?? 0;
				return {
					kind: 'reversal',
					paymentIds: shape === 'old' ? [charge, paymentIntent, invoice] : [charge, paymentIntent],
					invoiceId: shape === 'old' ? invoice : undefined,
					currency: 'EUR',
					reason: undefined,
					reversal: {
						kind: 'total',
						id: `${charge}:${seconds}:${amountCents}`,
						amountCents,
						happenedAt: seconds * 1000,
						undoneAt: undefined,
						chargeId: charge,
						chargeCents: 10_000,
					},
				};
			}),
		);
		expect(events.map((event) => readStripeEvent(event, 'net').summary)).toEqual([
			'25 EUR refunded in all of a charge of 100 EUR',
			'75 EUR refunded in all of a charge of 100 EUR',
		]);
	});

	test('captured only in part excludes the part that was released', () => {
		const event = stripeStory({ shape }).first.refund(5000).chargeRefunded();
		const captured = (amount_captured: number, amount_refunded: number) => withObject(event, { amount_captured, amount_refunded });
		expect(factOf(captured(6000, 5500))).toMatchObject({ reversal: { amountCents: 1500, chargeCents: 6000 } });
		expect(nothingOf(captured(6000, 4000))).toBe('charge without a refund');
	});

	test.each([
		['that was never captured', { captured: false, amount_captured: 0, amount_refunded: 10_000 }, 'charge that was never captured'],
		['without a refund', { amount_refunded: 0 }, 'charge without a refund'],
		['without the sum of its refunds', { amount_refunded: null }, 'charge with an amount or currency that cannot be read'],
		['in an unknown currency', { currency: 'xyz' }, 'charge with an amount or currency that cannot be read'],
		['without an id', { id: 5 }, 'charge without an id'],
	])('%s gives no fact', (_, fields, summary) => {
		expect(nothingOf(withObject(stripeStory({ shape }).first.refund(2500).chargeRefunded(), fields))).toBe(summary);
	});
});

test('a charge that lists its refunds gives each of them too', () => {
	const { first } = stripeStory({ shape: 'old' });
	first.refund(2500, 'fraudulent');
	const event = first.refund(5000).chargeRefundedWithList();
	const { facts } = readStripeEvent(event, 'net');
	expect(
		facts.map((fact) => fact.kind === 'reversal' && [fact.reversal.kind, fact.reversal.id, fact.reversal.amountCents, fact.reason]),
	).toEqual([
		['refund', first.refunds[0]?.id, 2500, 'fraudulent'],
		['refund', first.refunds[1]?.id, 5000, undefined],
		['total', `${first.ids.charge}:${event.created}:7500`, 7500, undefined],
	]);
});

test('a charge from before charges had amount_captured', () => {
	const event = stripeStory({ shape: 'old' }).first.refund(2500).chargeRefunded();
	expect(factOf(withObject(event, { amount_captured: undefined }))).toMatchObject({
		reversal: { amountCents: 2500, chargeCents: 10_000 },
	});
});

test('refunds in a currency without decimals', () => {
	const { first } = stripeStory({ currency: 'mga', amount: 500 });
	expect(factOf(first.refund(200).created())).toMatchObject({ currency: 'MGA', reversal: { amountCents: 20_000 } });
	expect(factOf(first.refund(100).chargeRefunded())).toMatchObject({ reversal: { amountCents: 30_000, chargeCents: 50_000 } });
});

describe.each(SHAPES)('a dispute, as the %s API sends it', (shape) => {
	const paid = () => stripeStory({ shape, currency: 'eur' }).first;

	test('deducts from its beginning until it is won', () => {
		const payment = paid();
		const dispute = payment.dispute(8000);
		const created = dispute.created();
		const open = {
			kind: 'reversal',
			paymentIds: [payment.ids.charge, payment.ids.paymentIntent],
			currency: 'EUR',
			reason: 'fraudulent',
			reversal: {
				kind: 'dispute',
				id: dispute.id,
				amountCents: 8000,
				happenedAt: created.created * 1000,
				undoneAt: undefined,
				chargeId: payment.ids.charge,
				chargeCents: undefined,
			},
		};
		const standing = [created, dispute.fundsWithdrawn(), dispute.updated('under_review'), dispute.closed('lost'), dispute.lostAfterAll()];
		for (const event of standing) expect(factOf(event)).toEqual({ ...open, reversal: { ...open.reversal, stoodAt: event.created * 1000 } });
		const won = dispute.closed('won');
		expect(factOf(won)).toEqual({ ...open, reversal: { ...open.reversal, undoneAt: won.created * 1000 } });
		const back = dispute.fundsReinstated();
		expect(factOf(back)).toEqual({ ...open, reversal: { ...open.reversal, undoneAt: back.created * 1000 } });
		expect([created, won].map((event) => readStripeEvent(event, 'net').summary)).toEqual([
			'dispute over 80 EUR',
			'dispute over 80 EUR that was won',
		]);
	});

	test('is undone when its money returns, before it is closed, unless it was lost', () => {
		const dispute = paid().dispute();
		expect(factOf(dispute.fundsReinstated('under_review'))).toMatchObject({ reversal: { undoneAt: expect.any(Number) } });
		expect(factOf(dispute.fundsReinstated('lost'))).toMatchObject({ reversal: { undoneAt: undefined } });
	});

	test.each([
		['warning_needs_response', 'inquiry: no money was taken'],
		['warning_under_review', 'inquiry: no money was taken'],
		['warning_closed', 'inquiry: no money was taken'],
		['prevented', 'dispute that was prevented: no money was taken'],
	] as const)('that is %s gives no fact', (status, summary) => {
		const dispute = paid().dispute();
		expect(nothingOf(dispute.created(status))).toBe(summary);
		expect(nothingOf(dispute.closed(status))).toBe(summary);
	});

	test.each([
		['without an id', { id: '' }, 'dispute without an id'],
		['without an amount', { amount: '8000' }, 'dispute with an amount or currency that cannot be read'],
		['without a payment', { charge: null, payment_intent: null }, 'dispute that names no payment'],
	])('%s gives no fact', (_, fields, summary) => {
		expect(nothingOf(withObject(paid().dispute().created(), fields))).toBe(summary);
	});

	test('may contain its objects instead of their ids', () => {
		const event = withObject(paid().dispute().created(), { charge: { id: 'ch_1' }, payment_intent: { id: 'pi_1' } });
		expect(factOf(event)).toMatchObject({ paymentIds: ['ch_1', 'pi_1'] });
	});
});
