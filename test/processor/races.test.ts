import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { interrupted } from '../../testing/d1/failing.ts';
import { aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, outcomeOf, receive, send, type StripeFunnel, work } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';

// Consumers that process events at the same time. A sale is of 100.00 and earns 20.00.

async function aStory(funnel: StripeFunnel) {
	return stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
}

const salesOf = ({ id }: { readonly id: number }) =>
	rows('SELECT amount_cents, refunded_cents, is_test FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', id);

describe('consumers that process the same event at once', () => {
	test('agree on one outcome with one effect', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		const refund = story.first.refund(2_500);
		const messages = await received(funnel, [story.checkout.completed(), refund.created(), refund.chargeRefunded()]);
		await Promise.all([work(messages), work(messages), work(messages.toReversed()), work(messages)]);
		expect((await inboxOf(funnel)).map(({ state }) => state)).toEqual(['applied', 'applied', 'applied']);
		expect(await salesOf(funnel)).toEqual([{ amount_cents: 10_000, refunded_cents: 2_500, is_test: 0 }]);
		expect(await balanceOf(funnel)).toBe(1_500);
		await expectSoundLedger(funnel);
	});

	test('do not miss a sale that arrives between the check of an event and its parking', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		const refund = story.first.refund(2_500).created();
		const { messages } = await receive(funnel, refund);
		await work(messages, { DB: interrupted(env.DB, () => send(funnel, story.checkout.completed())) });
		expect(await outcomeOf(funnel, refund)).toMatch(/^applied: Refund/);
	});

	test('do not overwrite a newer outcome with an older one', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		const refund = story.first.refund(2_500).created();
		await send(funnel, refund);
		const [{ id } = { id: 0 }] = await inboxOf(funnel);
		const message = { version: 1, kind: 'processor_events', ids: [id] };
		// When the wait ends, one consumer finds it expired while the other has recorded the sale.
		await atInstant(Date.now() + 4 * DAY_MS, async () => {
			const sold = story.checkout.completed();
			await work([message], { DB: interrupted(env.DB, () => send(funnel, sold)) });
		});
		expect(await outcomeOf(funnel, refund)).toMatch(/^applied: Refund/);
		expect(await balanceOf(funnel)).toBe(1_500);

		const second = (await aStory(funnel)).first.refund(2_500).created();
		await send(funnel, second);
		const [{ id: secondId } = { id: 0 }] = await inboxOf(funnel);
		const settle = () =>
			rows(
				"UPDATE processor_events SET state = 'ignored', settled_at = 1, next_attempt_at = NULL, revision = revision + 1 WHERE id = ?",
				secondId,
			);
		await work([{ ...message, ids: [secondId] }], { DB: interrupted(env.DB, settle) });
		expect(await inboxOf(funnel, `?event_id=${second.id}`)).toMatchObject([{ state: 'ignored' }]);
	});

	test("never miss each other's parked event and sale", async () => {
		for (let round = 0; round < 10; round += 1) {
			const funnel = await aStripeFunnel();
			const story = await aStory(funnel);
			const [refund, checkout] = await Promise.all([
				received(funnel, [story.first.refund(2_500).created()]),
				received(funnel, [story.checkout.completed()]),
			]);
			await Promise.all([work(refund), work(checkout)]);
			// This happens without help from cron or another event.
			expect(await balanceOf(funnel)).toBe(1_500);
		}
	});
});

/** Messages of events that were received but not processed. */
async function received(funnel: StripeFunnel, events: readonly StripeEvent[]): Promise<unknown[]> {
	const answers: unknown[] = [];
	for (const event of events) answers.push(...(await receive(funnel, event)).messages);
	return answers;
}
