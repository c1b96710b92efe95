import { paymentOf } from './payment.ts';
import { type SessionData, sessionObject } from './session.ts';
import { addRenewal, begin, DAY, firstOf, lastPeriodEnd, type PaymentData, type StoryData } from './story-data.ts';
import { subscriptionObject, type SubscriptionState } from './subscription.ts';
import type { Story, StoryOptions } from './story-types.ts';
import { eventOf, type Setting, type Shape } from './wire.ts';

// Stripe's events about one customer. The ids are consistent, new for every story, and the same in both shapes: `story.in('old')` is the
// same story.

/** Sends nothing yet. */
export function stripeStory(options: StoryOptions = {}): Story {
	return storyOf(begin(options), options.shape ?? 'new');
}

function storyOf(story: StoryData, shape: Shape): Story {
	const setting: Setting = { ...story.setting, shape };
	const paidAt = story.session.createdAt + 60;
	const session = (change: Partial<SessionData>) => sessionObject(setting, { ...story.session, ...change });
	const subscription = (type: 'created' | 'deleted' | 'updated', state: SubscriptionState, previous?: object) => {
		if (!story.subscription) throw new Error('This story has no subscription');
		const object = subscriptionObject(setting, story.subscription, state);
		return eventOf(setting, `customer.subscription.${type}`, state.endedAt ?? paidAt, object, previous);
	};
	const period = story.payments[0]?.invoice?.period ?? { start: paidAt, end: paidAt };
	const current = { status: story.subscription?.trialEnd == null ? ('active' as const) : ('trialing' as const), period, endedAt: null };
	const payment = (data: PaymentData) =>
		paymentOf(data, setting, {
			before: () => (data === firstOf(story) && story.subscription ? [made.subscription.created()] : []),
			after: () => (data === firstOf(story) ? [made.checkout.completed()] : []),
		});
	const made: Story = {
		ids: {
			customer: setting.customer,
			session: story.session.id,
			subscription: story.subscription?.id,
			product: story.price.product,
		},
		checkout: {
			completed: (paymentStatus = story.session.paymentStatus) =>
				eventOf(setting, 'checkout.session.completed', paidAt + 1, session({ paymentStatus })),
			asyncPaymentSucceeded: () => eventOf(setting, 'checkout.session.async_payment_succeeded', paidAt + 2 * DAY, session({})),
			asyncPaymentFailed: () =>
				eventOf(setting, 'checkout.session.async_payment_failed', paidAt + 2 * DAY, session({ paymentStatus: 'unpaid' })),
			expired: () =>
				eventOf(
					setting,
					'checkout.session.expired',
					paidAt + DAY,
					session({ status: 'expired', paymentStatus: 'unpaid', paymentIntent: null, subscription: null, invoice: null }),
				),
		},
		subscription: {
			created: () => subscription('created', current),
			updated: () => subscription('updated', current, { latest_invoice: null }),
			deleted: () => subscription('deleted', { ...current, status: 'canceled', endedAt: lastPeriodEnd(story) }),
		},
		get first() {
			return payment(firstOf(story));
		},
		get payments() {
			return story.payments.map(payment);
		},
		renew: (change = {}) => payment(addRenewal(story, change)),
		in: (other) => storyOf(story, other),
	};
	return made;
}
