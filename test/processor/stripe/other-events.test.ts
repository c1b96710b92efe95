import { describe, expect, test } from 'vitest';
import { readStripeEvent, stripeEnvelope, STRIPE_EVENT_TYPES } from '../../../src/processor/stripe/read-event.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import { withObject } from '../../../testing/stripe/wire.ts';

const SHAPES = ['new', 'old'] as const;

describe.each(SHAPES)('a subscription, as the %s API sends it', (shape) => {
	const subscriber = (trialDays?: number) => {
		const metadata = { tracker_customer_key: 'user_1', program_id: '5' };
		const story = stripeStory({ shape, mode: 'subscription', metadata, ...(trialDays !== undefined && { trialDays }) });
		const claims = { customerKey: 'user_1', clickId: undefined, programId: '5' };
		const beganAt = story.first.paidAt;
		const binding = {
			kind: 'binding',
			attribution: { ...claims, processorIds: [story.ids.subscription] },
			beginning: { beganAt, trialBeganAt: trialDays === undefined ? undefined : beganAt },
		};
		return { story, claims, binding };
	};

	test('names its customer when it begins and when it changes', () => {
		const { story, binding } = subscriber();
		expect(readStripeEvent(story.subscription.created(), 'net')).toEqual({
			facts: [binding],
			summary: 'subscription began: its invoices make the sales',
		});
		expect(readStripeEvent(story.subscription.updated(), 'net')).toEqual({
			facts: [binding],
			summary: 'subscription changed',
		});
	});

	test('with a trial is a signup', () => {
		const { story, claims, binding } = subscriber(14);
		expect(readStripeEvent(story.subscription.created(), 'net')).toEqual({
			facts: [binding, { kind: 'signup', attribution: { ...claims, processorIds: [story.ids.subscription, story.first.ids.invoice] } }],
			summary: 'trial began',
		});
		expect(readStripeEvent(story.subscription.updated(), 'net').facts).toHaveLength(1);
	});

	test('without metadata has only its start', () => {
		const { story, binding } = subscriber();
		const nobody = { attribution: { customerKey: undefined } };
		const without = withObject(story.subscription.created(), { metadata: {} });
		expect(readStripeEvent(without, 'net').facts).toMatchObject([{ ...binding, ...nobody }]);
		const trial = withObject(subscriber(14).story.subscription.created(), { metadata: {} });
		expect(readStripeEvent(trial, 'net').facts).toMatchObject([
			{ kind: 'binding', ...nobody },
			{ kind: 'signup', ...nobody },
		]);
	});

	test('began when it was created, even if its billing is backdated', () => {
		const { story, binding } = subscriber();
		const { beganAt } = binding.beginning;
		const backdated = withObject(story.subscription.created(), { start_date: beganAt / 1000 - 86_400 });
		expect(readStripeEvent(backdated, 'net').facts).toMatchObject([{ beginning: { beganAt } }]);
		const undated = withObject(story.subscription.updated(), { created: null });
		expect(readStripeEvent(undated, 'net').facts).toMatchObject([{ beginning: { beganAt: undated.created * 1000 } }]);
	});

	test('ends', () => {
		const { story } = subscriber();
		const deleted = story.subscription.deleted();
		const fact = { kind: 'subscription_end', subscriptionId: story.ids.subscription, endedAt: deleted.created * 1000 };
		expect(readStripeEvent(deleted, 'net')).toEqual({ facts: [fact], summary: 'subscription ended' });
		expect(readStripeEvent(withObject(deleted, { ended_at: 1_700_000_000 }), 'net').facts).toEqual([
			{ ...fact, endedAt: 1_700_000_000_000 },
		]);
		expect(readStripeEvent(withObject(deleted, { ended_at: null }), 'net').facts).toEqual([fact]);
	});
});

describe.each(SHAPES)('an event that links the ids of one payment, as the %s API sends it', (shape) => {
	const { first } = stripeStory({ shape, mode: 'subscription' });
	const { charge, invoice, paymentIntent } = first.ids;

	test('a charge', () => {
		const paymentIds = shape === 'old' ? [charge, paymentIntent, invoice] : [charge, paymentIntent];
		const invoiceId = shape === 'old' ? invoice : undefined;
		expect(readStripeEvent(first.chargeSucceeded(), 'net').facts).toEqual([{ kind: 'payment_ids', paymentIds, invoiceId }]);
	});

	test('a payment intent', () => {
		expect(readStripeEvent(first.paymentIntentSucceeded(), 'net').facts).toEqual([
			{ kind: 'payment_ids', paymentIds: [paymentIntent, charge, invoice], invoiceId: invoice },
		]);
	});

	test('a payment intent from before 2022-11', () => {
		const old = withObject(first.paymentIntentSucceeded(), {
			latest_charge: undefined,
			charges: { object: 'list', data: [{ id: charge }] },
		});
		expect(readStripeEvent(old, 'net').facts).toMatchObject([{ paymentIds: [paymentIntent, charge, invoice] }]);
	});

	test('an event with no other id links nothing', () => {
		const alone = withObject(first.chargeSucceeded(), { payment_intent: null, invoice: null });
		expect(readStripeEvent(alone, 'net')).toEqual({ facts: [], summary: 'charge that names no other id of the payment' });
	});
});

describe('a payment intent of the new API', () => {
	const story = stripeStory();
	const { charge, paymentIntent } = story.first.ids;
	const ordered = (order_reference: unknown) =>
		readStripeEvent(withObject(story.first.paymentIntentSucceeded(), { payment_details: { order_reference } }), 'net').facts[0];

	test('links the checkout session named as its order', () => {
		expect(readStripeEvent(story.first.paymentIntentSucceeded(), 'net').facts).toEqual([
			{ kind: 'payment_ids', paymentIds: [paymentIntent, charge, story.ids.session], invoiceId: undefined },
		]);
	});

	test.each(['order-42', 'in_5', 'cs_1', 'x_in_1SVX00DwzgQ85STgjo66s8', null, 7])("does not link the business's own order: %s", (order) => {
		expect(ordered(order)).toMatchObject({ paymentIds: [paymentIntent, charge] });
	});
});

test('an invoice payment links an invoice to its payment intent or charge', () => {
	const { first } = stripeStory({ mode: 'subscription' });
	const event = first.invoicePaymentPaid();
	const { charge, invoice, paymentIntent } = first.ids;
	const idsOf = (payment: object) => readStripeEvent(withObject(event, { payment }), 'net').facts;
	const fact = { kind: 'payment_ids', invoiceId: invoice };
	expect(readStripeEvent(event, 'net').facts).toEqual([{ ...fact, paymentIds: [paymentIntent, invoice] }]);
	expect(idsOf({ type: 'charge', charge })).toEqual([{ ...fact, paymentIds: [charge, invoice] }]);
	expect(idsOf({ type: 'payment_intent', payment_intent: { id: paymentIntent, latest_charge: charge } })).toEqual([
		{ ...fact, paymentIds: [paymentIntent, charge, invoice] },
	]);
	expect(idsOf({ type: 'payment_record', payment_record: 'pr_1' })).toEqual([]);
});

describe('the envelope', () => {
	test('has the type and time, and whether it was a test', () => {
		const live = stripeStory({ at: Date.UTC(2026, 10, 5) }).checkout.completed();
		expect(stripeEnvelope(live)).toEqual({
			eventId: live.id,
			type: 'checkout.session.completed',
			isTest: false,
			happenedAt: Date.UTC(2026, 10, 5) + 1000,
		});
		expect(stripeEnvelope(stripeStory({ livemode: false }).checkout.completed())?.isTest).toBe(true);
	});

	test.each([
		['without an id', { id: undefined }],
		['with an invalid id', { id: 5 }],
		['without a type', { type: '' }],
		['without a time', { created: null }],
		['with an invalid time', { created: -1 }],
		['with a time beyond the calendar', { created: 2 ** 52 }],
	])('%s is none', (_, fields) => {
		const event = { ...stripeStory().checkout.completed(), ...fields };
		expect(stripeEnvelope(event)).toBeUndefined();
		expect(readStripeEvent(event, 'net')).toEqual({ facts: [], summary: 'not an event of Stripe' });
	});
});

test.each(['customer.created', 'payment_link.created', 'constructor', 'toString'])('%s is not read', (type) => {
	expect(readStripeEvent({ ...stripeStory().checkout.completed(), type }, 'net')).toEqual({ facts: [], summary: `${type} is not read` });
	expect(STRIPE_EVENT_TYPES).not.toContain(type);
});
