import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/domain/calendar.ts';
import { aSale, balanceOf } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, outcomeOf, send, tickAt } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';

// The backend reports sales under Stripe's ids. Nothing at Stripe has metadata; its webhooks only report refunds.

describe('a payment without metadata that the backend reports', () => {
	test.each(['checkout', 'invoice'] as const)('is that sale, not an organic one (%s)', async (kind) => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: kind === 'checkout' ? 'payment' : 'subscription' });
		const { saleId } = await aSale(funnel, { transaction_id: story.first.transactionId });
		const event = kind === 'checkout' ? story.checkout.completed() : story.first.invoicePaid();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe(`applied: Already recorded as sale ${saleId}`);
	});

	test('is that sale, even if its event arrives first', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription' });
		await send(funnel, ...story.first.events());
		await aSale(funnel, { transaction_id: story.first.transactionId });
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect((await inboxOf(funnel)).filter(({ state }) => state === 'waiting')).toEqual([]);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('has its dispute counted in the currency that Stripe charged', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ currency: 'eur', amount: 9_200 });
		await aSale(funnel, { transaction_id: story.first.transactionId });
		await send(funnel, ...story.first.events(), story.first.dispute(4_600).created());
		expect(await balanceOf(funnel)).toBe(1_000);
	});
});

describe('a payment that cannot be recorded says so', () => {
	test.each([
		['an unknown currency', { currency: 'xyz' }],
		['more than the maximum amount', { amount: 999_999_999_999 }],
	])('%s', async (_what, options) => {
		const funnel = await aStripeFunnel();
		const event = stripeStory({ metadata: { tracker_customer_key: 'somebody' }, ...options }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe('ignored: checkout with an amount or currency that cannot be read');
	});
});
