import { describe, expect, test } from 'vitest';
import { paddleEnvelope, readPaddleEvent } from '../../../src/processor/paddle/read-event.ts';
import { paddleStory } from '../../../testing/paddle/story.ts';
import { nothingOf, readEvent, factsOf, withData } from './read.ts';

const customData = { tracker_customer_key: 'user_1' };

describe('a subscription', () => {
	const story = paddleStory({ mode: 'subscription', customData });

	test('names its customer and its start', () => {
		for (const event of [story.subscription.created(), story.subscription.updated()]) {
			const { kinds, binding } = factsOf(event);
			expect(kinds).toEqual(['binding']);
			expect(binding).toMatchObject({
				attribution: { customerKey: 'user_1', processorIds: [story.ids.subscription] },
				beginning: { beganAt: story.first.paidAt },
			});
			expect(binding?.beginning?.trialBeganAt).toBeUndefined();
		}
	});

	test('that ended has its end date', () => {
		const ended = story.subscription.canceled();
		const { facts } = readEvent(ended);
		expect(facts).toEqual([
			{ kind: 'subscription_end', subscriptionId: story.ids.subscription, endedAt: Date.parse(ended.occurred_at) - 1_000 },
		]);
		const [unreported] = readEvent(withData(ended, { canceled_at: null })).facts;
		expect(unreported).toMatchObject({ endedAt: Date.parse(ended.occurred_at) });
	});

	test('without an id is ignored', () => {
		for (const event of [story.subscription.created(), story.subscription.updated(), story.subscription.canceled()])
			expect(nothingOf(withData(event, { id: 7 }))).toBe('subscription without an id');
	});
});

describe('a trial', () => {
	const story = paddleStory({ mode: 'subscription', trialDays: 14, customData });

	test('is a signup, attributed by its custom data, its subscription or its transaction', () => {
		const { facts, summary } = readEvent(story.subscription.created());
		expect(summary).toBe('trial began');
		expect(facts).toMatchObject([
			{ kind: 'binding', beginning: { trialBeganAt: story.first.paidAt } },
			{ kind: 'signup', attribution: { customerKey: 'user_1', processorIds: [story.ids.subscription, story.first.id] } },
		]);
	});

	test('is one even if no item has a start date', () => {
		const { binding } = factsOf(withData(story.subscription.created(), { items: null }));
		expect(binding?.beginning?.trialBeganAt).toBe(story.first.paidAt);
	});
});

describe('an envelope', () => {
	const event = paddleStory().first.completed();

	test('has the id, type and time of every event', () => {
		expect(paddleEnvelope(event)).toEqual({
			eventId: event.event_id,
			type: 'transaction.completed',
			happenedAt: Math.floor(Date.parse(event.occurred_at)),
		});
	});

	test.each([null, [], 'event', {}, { ...event, event_id: '' }, { ...event, event_type: 1 }, { ...event, occurred_at: 'yesterday' }])(
		'is missing in %j',
		(other) => {
			expect(paddleEnvelope(other)).toBeUndefined();
		},
	);

	test('of an unknown type says so', () => {
		const envelope = { type: 'address.created', happenedAt: 0 };
		expect(readPaddleEvent(event, envelope, 'net')).toEqual({ facts: [], summary: 'address.created is not read' });
	});
});
