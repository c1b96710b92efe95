import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { stripeStory } from '../../testing/stripe/story.ts';
import { tick } from '../support/deliver.ts';
import { placesOf } from '../support/everywhere.ts';
import { aLead, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, receive, send, type StripeFunnel, tickAt, work } from '../support/inbox.ts';
import { api, unique } from '../support/world.ts';
import { interrupted } from '../../testing/d1/failing.ts';

// What comes late, or at the moment of an erase, brings none of the ids back.

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel();
});

async function erase(body: object): Promise<void> {
	const { status, text } = await api(`${funnel.path}/customers/erase`, { token: funnel.owner.token, body });
	if (status !== 200) throw new Error(`The erase answered ${status}: ${text}`);
}

describe('what a processor told of who stands behind a subscription', () => {
	test('goes where only a lead told whose the click is', async () => {
		const click = await track('click', {
			affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`,
			additional_data: { test_mode: true },
		});
		const [click_id, customer_key] = [String(click.body['click_id']), unique('customer')];
		// A test click brings no customer: the lead alone has it.
		await track('lead', { customer_key, click_id }, funnel.apiToken);
		const story = stripeStory({ mode: 'subscription', subscriptionMetadata: { tracker_click_id: click_id } });
		await send(funnel, story.subscription.created());
		expect(await placesOf(click_id)).toContain('processor_bindings.click_id');
		await erase({ customer_key });
		await tick();
		for (const id of [customer_key, click_id, String(story.ids.subscription)]) expect(await placesOf(id)).toEqual([]);
	});

	test('is not written by an event that was being looked at meanwhile', async () => {
		const customer_key = await aLead(funnel);
		const story = stripeStory({ mode: 'subscription', subscriptionMetadata: { tracker_customer_key: customer_key } });
		const event = story.subscription.created();
		const { messages } = await receive(funnel, event);
		await work(messages, { DB: interrupted(env.DB, () => erase({ customer_key })) });
		expect(await outcomeOf(funnel, event)).toBe('refused: Not recorded: its customer was erased');
		expect(await rows('SELECT * FROM processor_bindings WHERE customer_key = ?', customer_key)).toEqual([]);
		await tick();
		expect(await placesOf(customer_key)).toEqual([]);
	});

	test('goes with the person, whoever is faster', async () => {
		for (let round = 0; round < 6; round += 1) {
			const customer_key = await aLead(funnel);
			const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customer_key } });
			await Promise.all([erase({ customer_key }), send(funnel, story.subscription.created()), send(funnel, story.first.invoicePaid())]);
			await tickAt(Date.now() + 3 * 60_000);
			for (const id of [customer_key, story.ids.subscription ?? '']) expect(await placesOf(id)).toEqual([]);
		}
	});

	test('stays of who came by the same click with a key of their own, without the click', async () => {
		const click_id = String((await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` })).body['click_id']);
		const [person, housemate] = [unique('customer'), unique('customer')];
		for (const customer_key of [person, housemate]) await track('lead', { customer_key, click_id }, funnel.apiToken);
		const metadata = { tracker_customer_key: housemate, tracker_click_id: click_id };
		const story = stripeStory({ mode: 'subscription', metadata });
		await send(funnel, story.subscription.created());
		await erase({ customer_key: person });
		await tick();
		const bindings = await rows('SELECT customer_key, click_id FROM processor_bindings WHERE processor_id = ?', story.ids.subscription);
		expect(bindings).toEqual([{ customer_key: housemate, click_id: null }]);
		expect(await placesOf(click_id)).toEqual([]);
	});
});
