import { randomUUID } from 'node:crypto';
import { signedWebhook, webhookId, webhookSecret } from '../../testing/custom/sign.ts';
import { signed as signedByPaddle, signingSecret as paddleSecret } from '../../testing/paddle/sign.ts';
import { paddleStory } from '../../testing/paddle/story.ts';
import type { PaddleEvent } from '../../testing/paddle/wire.ts';
import { signed as signedByStripe, signingSecret as stripeSecret } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';

// The events that npm run demo:stripe sends, for each payment processor.

export interface SentEvent {
	readonly id: string;
	readonly type: string;
	readonly body: object;
}

/** Something that happens at the processor, with the events that report it. */
export interface Happening {
	readonly title: string;
	readonly events: readonly SentEvent[];
	/** The expected change of the partner's balance, in cents. */
	readonly moves: number;
}

export interface DemoProcessor {
	readonly name: string;
	readonly title: string;
	readonly signingSecret: () => string;
	readonly signed: (event: SentEvent, secret: string, now: number) => Signed;
	/** A customer pays 119.00 USD a month, including 19.00 tax, starting at `at` (ms). */
	readonly happenings: (keys: Record<string, string>, at: number) => Happening[];
}

interface Signed {
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
}

const DAY_MS = 86_400_000;
const TERMS = { mode: 'subscription', amount: 11_900, tax: 1_900 } as const;

const STRIPE: DemoProcessor = {
	name: 'stripe',
	title: 'Stripe',
	signingSecret: stripeSecret,
	signed: inHeader('Stripe-Signature', signedByStripe),
	happenings(metadata, at) {
		const story = stripeStory({ ...TERMS, metadata, at });
		const { first } = story;
		const checkout = first.events();
		const renewal = story.renew();
		const refund = renewal.refund(2_975, 'requested_by_customer');
		const dispute = first.dispute();
		return [
			happening('A customer checks out and pays the first invoice: several events, one sale', 2_000, ofStripe(checkout)),
			happening('Stripe delivers the same events again', 0, ofStripe(checkout)),
			happening('The subscription renews', 2_000, ofStripe(renewal.events())),
			happening('A quarter of the renewal is refunded, tax included', -500, ofStripe([refund.created('pending'), refund.chargeRefunded()])),
			happening('The first payment is disputed', -2_000, ofStripe([dispute.created(), dispute.fundsWithdrawn()])),
			happening('The dispute is won and the money reinstated', 2_000, ofStripe([dispute.closed('won'), dispute.fundsReinstated()])),
		];
	},
};

const PADDLE: DemoProcessor = {
	name: 'paddle',
	title: 'Paddle',
	signingSecret: paddleSecret,
	signed: inHeader('Paddle-Signature', signedByPaddle),
	happenings(customData, at) {
		const story = paddleStory({ ...TERMS, customData, at });
		const { first, subscription } = story;
		const beginning = [first.paid(), subscription.created(), first.completed()];
		const renewal = story.renew();
		const refund = renewal.refund(2_975);
		const chargeback = first.dispute();
		return [
			happening('A customer checks out and pays the first transaction: one sale', 2_000, ofPaddle(beginning)),
			happening('Paddle delivers the same events again', 0, ofPaddle(beginning)),
			happening('The subscription renews', 2_000, ofPaddle([renewal.completed()])),
			happening('A quarter of the renewal is refunded, tax included', -500, ofPaddle([refund.created(), refund.updated('approved')])),
			happening('The first payment is charged back', -2_000, ofPaddle([chargeback.created()])),
			happening(
				'The chargeback is won and the money reinstated',
				2_000,
				ofPaddle([first.dispute('chargeback_reverse').created(), chargeback.updated('reversed')]),
			),
		];
	},
};

const CUSTOM: DemoProcessor = {
	name: 'custom',
	title: 'The custom webhook',
	signingSecret: webhookSecret,
	signed: ({ id, body }, secret, now) => signedWebhook(body, secret, now, id),
	happenings({ tracker_customer_key: customer_key, tracker_click_id: click_id }, at) {
		const [subscription_id, first, second] = [`subscription-${randomUUID()}`, `payment-${randomUUID()}`, `payment-${randomUUID()}`];
		const paid = { amount_cents: TERMS.amount, tax_cents: TERMS.tax, currency: 'USD' };
		const whole = { payment_id: first, amount_cents: TERMS.amount, currency: 'USD' };
		const dispute_id = `dispute-${randomUUID()}`;
		const beginning = [customEvent('payment', at, { payment_id: first, subscription_id, customer_key, click_id, ...paid })];
		const renewedAt = at + 30 * DAY_MS;
		const refund = { refund_id: `refund-${randomUUID()}`, payment_id: second, amount_cents: 2_975, currency: 'USD' };
		return [
			happening('A customer subscribes, and the backend reports the first payment', 2_000, beginning),
			happening('The backend sends the same event again', 0, beginning),
			happening('The subscription renews', 2_000, [customEvent('renewal', renewedAt, { payment_id: second, subscription_id, ...paid })]),
			happening('A quarter of the renewal is refunded, tax included', -500, [customEvent('refund', renewedAt + DAY_MS, refund)]),
			happening('The first payment is disputed', -2_000, [
				customEvent('dispute', renewedAt + 2 * DAY_MS, { dispute_id, ...whole, status: 'open' }),
			]),
			happening('The dispute is won and the money reinstated', 2_000, [
				customEvent('dispute', renewedAt + 3 * DAY_MS, { dispute_id, ...whole, status: 'won' }),
			]),
		];
	},
};

export const DEMO_PROCESSORS = { stripe: STRIPE, paddle: PADDLE, custom: CUSTOM } as const satisfies Readonly<
	Record<string, DemoProcessor>
>;

function inHeader(header: string, sign: (body: object, secret: string, now: number) => { readonly body: string; readonly header: string }) {
	return ({ body }: SentEvent, secret: string, now: number): Signed => {
		const signed = sign(body, secret, now);
		return { body: signed.body, headers: { [header]: signed.header } };
	};
}

function customEvent(type: string, at: number, data: object): SentEvent {
	return { id: webhookId(), type, body: { type, timestamp: new Date(at).toISOString(), data } };
}

function happening(title: string, moves: number, events: readonly SentEvent[]): Happening {
	return { title, events, moves };
}

function ofStripe(events: readonly StripeEvent[]): SentEvent[] {
	return events.map((body) => ({ id: body.id, type: body.type, body }));
}

function ofPaddle(events: readonly PaddleEvent[]): SentEvent[] {
	return events.map((body) => ({ id: body.event_id, type: body.event_type, body }));
}
