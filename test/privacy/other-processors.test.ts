import { expect, test } from 'vitest';
import { paddleStory } from '../../testing/paddle/story.ts';
import { aCustomFunnel, customEvent, sendCustom } from '../support/custom-webhook.ts';
import { placesOf } from '../support/everywhere.ts';
import { aLead } from '../support/funnel.ts';
import { aPaddleFunnel, sendFromPaddle } from '../support/paddle.ts';
import { sweepAt } from '../support/sweep.ts';
import { api, unique } from '../support/world.ts';

// An erased person's events at another processor are found by that processor's ids.

test("a backend's own payment and subscription ids find the bodies without a name", async () => {
	const funnel = await aCustomFunnel();
	const [person, other] = [await aLead(funnel), await aLead(funnel)];
	const [plan, first, next, others] = [unique('plan-'), unique('1'), unique('2'), unique('3')];
	const paid = { amount_cents: 4_900, currency: 'USD' };
	await sendCustom(
		funnel,
		customEvent('payment', { payment_id: first, subscription_id: plan, customer_key: person, ...paid }),
		customEvent('renewal', { payment_id: next, subscription_id: plan, ...paid }),
		customEvent('refund', { refund_id: unique('back-'), payment_id: next, amount_cents: 100, currency: 'USD' }),
		customEvent('payment', { payment_id: others, customer_key: other, product_id: first, ...paid }),
	);
	expect(await placesOf(plan)).toContain('processor_events.payload');
	await erase(funnel, person);
	for (const id of [plan, next, person]) expect(await placesOf(id)).not.toContain('processor_events.payload');
	expect(await placesOf(others)).toContain('processor_events.payload');
});

test("Paddle's customer id finds the bodies without a name", async () => {
	const funnel = await aPaddleFunnel();
	const person = await aLead(funnel);
	const story = paddleStory({ customData: { tracker_customer_key: person } });
	await sendFromPaddle(funnel, story.first.events());
	const later = paddleStory({}).first.completed();
	const payer = story.ids.customer;
	await sendFromPaddle(funnel, [{ ...later, data: { ...later.data, customer_id: payer } }]);
	expect(await placesOf(payer)).toEqual(['processor_events.payload']);
	await erase(funnel, person);
	expect(await placesOf(payer)).toEqual([]);
});

async function erase(
	{ path, owner }: { readonly path: string; readonly owner: { readonly token: string } },
	customer_key: string,
): Promise<void> {
	const { status, text } = await api(`${path}/customers/erase`, { token: owner.token, body: { customer_key } });
	if (status !== 200) throw new Error(`The erase answered ${status}: ${text}`);
	await sweepAt(Date.now() + 3 * 60_000);
}
