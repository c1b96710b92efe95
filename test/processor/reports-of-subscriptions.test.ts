import { describe, expect, test } from 'vitest';
import { aClick, rows } from '../support/funnel.ts';
import { aStripeFunnel, eventWith, send } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import { unique } from '../support/world.ts';

// Renewals are attributed by what earlier events reported about their subscription.

const bindingsOf = ({ id }: { readonly id: number }) =>
	rows('SELECT processor_id, customer_key, click_id, is_test FROM processor_bindings WHERE program_id = ? ORDER BY processor_id', id);

/** `created` is in seconds. */
function saying(event: StripeEvent, created: number, metadata: object): StripeEvent {
	return { ...eventWith(event, { metadata }), created };
}

describe('the metadata of a subscription', () => {
	const [early, late] = [1_700_000_000, 1_700_000_500];

	test('the later event wins, in either order', async () => {
		const [first, second] = [await aStripeFunnel(), await aStripeFunnel()];
		const { subscription, ids } = stripeStory({ mode: 'subscription' });
		const [before, after] = [
			saying(subscription.created(), early, { tracker_customer_key: 'z' }),
			saying(subscription.updated(), late, { tracker_customer_key: 'a' }),
		];
		await send(first, before, after);
		await send(second, after, before);
		for (const funnel of [first, second])
			expect(await bindingsOf(funnel)).toMatchObject([{ processor_id: ids.subscription, customer_key: 'a' }]);
	});

	test('keys missing from a later event stay', async () => {
		const funnel = await aStripeFunnel();
		const { subscription, ids } = stripeStory({ mode: 'subscription' });
		const [key, clickId] = [unique('customer'), await aClick(funnel)];
		await send(
			funnel,
			saying(subscription.created(), early, { tracker_customer_key: key }),
			saying(subscription.updated(), late, { tracker_click_id: clickId }),
			saying(subscription.updated(), late + 1, {}),
		);
		expect(await bindingsOf(funnel)).toEqual([{ processor_id: ids.subscription, customer_key: key, click_id: clickId, is_test: 0 }]);
	});

	test('a later event without metadata does not hide an earlier one with it', async () => {
		const funnel = await aStripeFunnel();
		const { subscription } = stripeStory({ mode: 'subscription' });
		await send(
			funnel,
			saying(subscription.updated(), late + 1, {}),
			saying(subscription.created(), early, { tracker_customer_key: 'z' }),
			saying(subscription.updated(), late, { tracker_customer_key: 'a' }),
		);
		expect(await bindingsOf(funnel)).toMatchObject([{ customer_key: 'a' }]);
	});

	test('two events of the same second leave the same, in either order', async () => {
		const [first, second] = [await aStripeFunnel(), await aStripeFunnel()];
		const { subscription } = stripeStory({ mode: 'subscription' });
		const both = [
			saying(subscription.created(), early, { tracker_customer_key: 'a' }),
			saying(subscription.updated(), early, { tracker_customer_key: 'b' }),
		];
		await send(first, ...both);
		await send(second, ...both.toReversed());
		expect(await bindingsOf(first)).toEqual(await bindingsOf(second));
	});
});
