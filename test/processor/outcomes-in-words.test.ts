import { expect, test } from 'vitest';
import { aLead, rows } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api } from '../support/world.ts';

// The inbox describes what a refund really changed.

test('a refund of a sale with a rejected commission says so, and its failure reinstates nothing', async () => {
	const funnel = await aStripeFunnel();
	const story = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
	await send(funnel, story.checkout.completed());
	const [commission] = await rows<{ id: number }>('SELECT id FROM commissions WHERE program_id = ?', funnel.id);
	await api(`${funnel.path}/commissions/reject`, { token: funnel.owner.token, body: { commission_ids: [commission?.id] } });
	const refund = story.first.refund(2_500);
	const [created, failed] = [refund.created(), refund.failed()];
	await send(funnel, created, failed);
	expect(await outcomeOf(funnel, created)).toMatch(
		/^applied: Refund of 25\.00 USD of sale \d+, whose commission \d+ is rejected: nothing is deducted$/,
	);
	expect(await outcomeOf(funnel, failed)).toMatch(/^applied: Refund failed, 25\.00 USD of sale \d+ counts again$/);
});
