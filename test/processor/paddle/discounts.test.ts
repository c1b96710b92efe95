import { expect, test } from 'vitest';
import { paddleStory } from '../../../testing/paddle/story.ts';
import { nothingOf, readEvent, factsOf, withData } from './read.ts';

const event = (type: string, data: object) => ({ event_id: 'evt_1', event_type: type, occurred_at: '2026-11-20T10:00:00Z', data });

test('a discount event maps its id to the code', () => {
	const coupon = { kind: 'coupon', processorIds: ['dsc_1'], code: 'PAT20', of: undefined };
	for (const type of ['discount.created', 'discount.updated']) {
		expect(readEvent(event(type, { id: 'dsc_1', code: 'pat20' })).facts).toEqual([coupon]);
	}
	const led = { id: 'dsc_1', code: 'summer', custom_data: { tracker_coupon_code: 'Pat20' } };
	expect(readEvent(event('discount.created', led)).facts).toEqual([coupon]);
	expect(nothingOf(event('discount.created', { id: 'dsc_1', code: null }))).toBe('discount without an id or a code');
});

test("a transaction has only the discount's id", () => {
	const completed = paddleStory({}).first.completed();
	expect(factsOf(completed).payment?.couponIds).toBeUndefined();
	expect(factsOf(withData(completed, { discount_id: 'dsc_1' })).payment?.couponIds).toEqual(['dsc_1']);
});
