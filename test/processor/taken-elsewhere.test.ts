import { expect, test } from 'vitest';
import { aLead, balanceOf, track } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';

test('a payment whose id another program has used is refused, and the inbox says that it is not recorded here', async () => {
	const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
	const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: await aLead(funnel) } });
	const taken = { transaction_id: story.first.ids.invoice, amount_cents: 1, customer_key: await aLead(other) };
	expect(await track('sale', taken, other.apiToken)).toMatchObject({ status: 200 });
	const invoice = story.first.invoicePaid();
	await send(funnel, invoice);
	expect(await outcomeOf(funnel, invoice)).toBe(
		'refused: Refused: another program has recorded a sale with an id of this payment, and ids are unique across all programs',
	);
	expect(await balanceOf(funnel)).toBe(0);
});
