import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { HOUR_MS } from '../../src/domain/calendar.ts';
import { replayProcessorEvents } from '../../src/processor/replay-processor-events.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { rows } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { managedBy } from '../support/managed.ts';
import { aMember, api, unique } from '../support/world.ts';

/** Calls the function directly, so that the test sees its messages. */
async function replayAll(of: StripeFunnel, EFFECTS: Queue) {
	const ctx = openContext({ ...env, EFFECTS }, { waitUntil: () => undefined });
	const program = await managedBy(of.owner, of);
	return replayProcessorEvents(ctx, program, { states: ['refused', 'expired'], settledBefore: ctx.now + 1 });
}

function hasIds(job: unknown): job is { readonly ids: readonly number[] } {
	return typeof job === 'object' && job !== null && 'ids' in job && Array.isArray(job.ids);
}

test('it replays events in the order in which they happened, each once', async () => {
	const place = await aStripeFunnel();
	const customerKey = unique('customer');
	const metadata = { tracker_customer_key: customerKey, program_id: '1000000' };
	const stories = [3, 1, 2].map((hours) => stripeStory({ metadata, at: Date.now() - hours * HOUR_MS }));
	const refused = stories.map(({ checkout }) => checkout.completed());
	await send(place, ...refused);
	expect((await inboxOf(place)).map(({ state }) => state)).toEqual(['refused', 'refused', 'refused']);

	const effects = holdingQueue();
	const replayed = await replayAll(place, effects);
	const order = [refused[0], refused[2], refused[1]].map((event) => event?.id);
	const ids = effects.held.flatMap((job) => (hasIds(job) ? job.ids : []));
	const inbox = await inboxOf(place);
	expect(ids.map((id) => inbox.find((event) => event.id === id)?.event_id)).toEqual(order);
	expect(replayed).toEqual({ replayed: 3, remaining: 0 });
});

test('it returns the instant to continue from, and skips events that it has replayed in vain', async () => {
	const place = await aStripeFunnel();
	const refused = stripeStory({ metadata: { tracker_customer_key: 'x', program_id: '1000000' } }).checkout.completed();
	await send(place, refused);
	const all = (body: unknown, by: { readonly token: string } = place.owner) =>
		api<{ settled_before: string }>(`${place.path}/processor-replay`, { token: by.token, body });
	const first = await all({});
	expect(first.body.data).toEqual({ replayed: 1, remaining: 0, settled_before: expect.any(String) });
	await tickAt(Date.now());
	expect(await inboxOf(place)).toMatchObject([{ state: 'refused' }]);
	const again = await all({ settled_before: first.body.data.settled_before });
	expect(again.body.data).toMatchObject({ replayed: 0, remaining: 0 });
	expect((await all({ states: ['received'] })).body.error).toMatch(/^states.* must be one of refused, /);
	expect((await all({ settled_before: 'soon' })).body.error).toMatch(/^settled_before must be/);
	expect((await all({}, await aMember(place.owner, 'member'))).status).toBe(403);
	expect(await rows("SELECT detail FROM audit_entries WHERE action = 'processor_event.replay_all' AND program_id = ?", place.id)).toEqual([
		{ detail: JSON.stringify({ events: 1, states: ['refused', 'expired', 'failed'] }) },
		{ detail: JSON.stringify({ events: 0, states: ['refused', 'expired', 'failed'] }) },
	]);
});
