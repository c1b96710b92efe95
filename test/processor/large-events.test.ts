import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver } from '../support/deliver.ts';
import { aLead } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, receive } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { limitingValues } from '../../testing/d1/failing.ts';

test('an event of 1 MiB full of backslashes is processed', async () => {
	const place = await aStripeFunnel();
	const event = stripeStory({ metadata: { tracker_customer_key: await aLead(place) } }).checkout.completed();
	const text = JSON.stringify(event);
	const padded = `{"pad":"${'\\\\'.repeat(Math.floor((1_048_576 - text.length - 12) / 2))}",${text.slice(1)}`;
	const { messages, status } = await receive(place, padded);
	expect(status).toBe(200);
	const bodies = messages.map((body) => ({ body }));
	await deliver('affiliate-effects', bodies, { DB: limitingValues(env.DB), EFFECTS: holdingQueue() });
	expect(await outcomeOf(place, event)).toContain('applied');
});
