import { beforeAll, expect, test } from 'vitest';
import { aStripeFunnel, receive, send, type StripeFunnel } from '../support/inbox.ts';
import { aCrowd, aSettledLead, expectRows, type Rows, rowsOf } from '../support/rows.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';

// How many D1 rows a single Stripe event writes and reads, including all its effects.

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel();
	await aCrowd(funnel);
});

const aStory = async (options: object = {}) => stripeStory({ metadata: { tracker_customer_key: await aSettledLead(funnel) }, ...options });
const aSubscription = () => aStory({ mode: 'subscription' });
async function aPaidStory() {
	const story = await aStory();
	await send(funnel, story.checkout.completed());
	return story;
}

test.each<[what: string, event: () => Promise<StripeEvent>, rows: Rows]>([
	['the completed checkout of a payment, which is the sale', async () => (await aStory()).checkout.completed(), { written: 26, read: 102 }],
	['its payment intent, after the sale', async () => (await aPaidStory()).first.paymentIntentSucceeded(), { written: 8, read: 53 }],
	['its charge', async () => (await aPaidStory()).first.chargeSucceeded(), { written: 8, read: 45 }],
	['the completed checkout of a subscription', async () => (await aSubscription()).checkout.completed(), { written: 11, read: 57 }],
	[
		'the first invoice of a subscription, which is the sale',
		async () => (await aSubscription()).first.invoicePaid(),
		{ written: 28, read: 107 },
	],
	['a refund', async () => (await aPaidStory()).first.refund().created(), { written: 23, read: 102 }],
])('%s', async (_what, event, rows) => {
	const given = await event();
	const actual = await rowsOf(async (held) => {
		const { status } = await receive(funnel, given, { bindings: held });
		expect(status).toBe(200);
	});
	expectRows(actual, rows);
});
