import { expect, test } from 'vitest';
import { eventOf } from '../../../testing/paddle/wire.ts';
import { paddleStory } from '../../../testing/paddle/story.ts';
import { aCoupon } from '../../support/coupons.ts';
import { aClick, rows, track } from '../../support/funnel.ts';

import { aPaddleFunnel, outcomeOf, sendFromPaddle as send } from '../../support/paddle.ts';
import { unique } from '../../support/world.ts';
import { withData } from './read.ts';

// Paddle transactions that say little or nothing about the customer.

test('no customer: it is settled at once', async () => {
	const funnel = await aPaddleFunnel();
	const story = paddleStory({ mode: 'subscription' });
	const payments = [story.first.completed(), story.renew().completed()];
	await send(funnel, [...payments, story.subscription.created()]);
	for (const payment of payments) expect(await outcomeOf(funnel, payment)).toMatch(/^ignored: /);
});

test.each(['a discount', 'tracker_coupon_code'])(
	'only a coupon, by %s: the first payment is a sale of its partner at once',
	async (way) => {
		const funnel = await aPaddleFunnel();
		const [{ id, code }, discount] = [await aCoupon(funnel), unique('dsc_')];
		const paid = paddleStory({}).first.completed();
		const reported = way === 'a discount' ? { discount_id: discount } : { custom_data: { tracker_coupon_code: code } };
		const payment = withData(paid, reported);
		await send(funnel, [eventOf('discount.created', Date.now(), { id: discount, code }), payment]);
		expect(await outcomeOf(funnel, payment)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		expect(await rows('SELECT partner_program_id, coupon_id FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([
			{ partner_program_id: funnel.partnerProgramId, coupon_id: id },
		]);
	},
);

test('numbers in custom data are read as their digits', async () => {
	const funnel = await aPaddleFunnel();
	await track('lead', { customer_key: '4207', click_id: await aClick(funnel) }, funnel.apiToken);
	const [own, foreign] = [{ program_id: funnel.id }, { program_id: funnel.id + 1 }].map((customData) =>
		paddleStory({ customData: { tracker_customer_key: 4207, ...customData } }).first.completed(),
	);
	if (!own || !foreign) throw new Error('Two stories');
	await send(funnel, [own, foreign]);
	expect(await outcomeOf(funnel, own)).toMatch(/^applied: Sale \d+ recorded/);
	expect(await outcomeOf(funnel, foreign)).toMatch(/^refused: .*program/);
});
