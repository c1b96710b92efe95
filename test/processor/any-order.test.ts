import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aLead, balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, send, type StripeFunnel } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Story, StoryOptions } from '../../testing/stripe/story-types.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import { runs } from '../support/runs.ts';

// The events of a payment leave the same ledger in any order, even if they are repeated.

const TIMELINES: Record<
	string,
	{
		readonly options: StoryOptions;
		readonly events: (story: Story) => StripeEvent[];
		readonly balance: number;
		readonly settings?: Record<string, unknown>;
	}
> = {
	'a checkout and two refunds': {
		options: { mode: 'payment' },
		events: ({ first, checkout }) => {
			const refunds = [first.refund(2_500), first.refund(5_000)];
			return [
				checkout.completed(),
				first.chargeSucceeded(),
				first.paymentIntentSucceeded(),
				...refunds.flatMap((refund) => [refund.created(), refund.chargeRefunded()]),
			];
		},
		balance: 500,
	},
	'a subscription whose first invoice is refunded in part, and its renewal disputed and won': {
		options: { mode: 'subscription' },
		events: (story) => {
			const { first } = story;
			const renewal = story.renew();
			const dispute = renewal.dispute();
			return [
				...first.events(),
				first.refund(2_500).created(),
				renewal.invoicePaid(),
				renewal.invoicePaymentPaid(),
				dispute.created(),
				dispute.fundsWithdrawn(),
				dispute.closed('won'),
			];
		},
		balance: 3_500,
	},
	'a subscription whose metadata only its checkout has': {
		options: { mode: 'subscription', subscriptionMetadata: {} },
		events: (story) => {
			const { first } = story;
			const refund = first.refund(10_000);
			return [story.checkout.completed(), first.invoicePaid(), first.invoicePaymentPaid(), refund.created('pending'), refund.failed()];
		},
		balance: 2_000,
	},
	'the same with a renewal, in a program whose renewals follow': {
		settings: { renewals_follow_checkout: true },
		options: { mode: 'subscription', subscriptionMetadata: {} },
		events: (story) => {
			const renewal = story.renew();
			const tied = [renewal.invoicePaid(), renewal.invoicePaymentPaid(), renewal.refund(2_500).created()];
			return [story.checkout.completed(), story.first.invoicePaid(), ...tied];
		},
		balance: 3_500,
	},
};

async function booksOf({ id, partnerProgramId }: StripeFunnel): Promise<unknown> {
	const sales = await rows(
		`SELECT s.processor_event_id, s.amount_cents, s.refunded_cents, c.amount_cents AS earned, c.deducted_cents, c.status
		FROM affiliate_sale_events s LEFT JOIN commissions c ON c.sale_id = s.id
		WHERE s.program_id = ? AND s.duplicate_of_sale_id IS NULL ORDER BY s.processor_event_id`,
		id,
	);
	return { sales, balance: await balanceOf({ partnerProgramId }) };
}

describe.each(Object.entries(TIMELINES))('%s', (_name, { options, events, balance, settings }) => {
	test('in any order, with any of it repeated', async () => {
		await fc.assert(
			fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.constantFrom('old' as const, 'new' as const), async (choices, shape) => {
				const funnel = await aStripeFunnel(settings);
				const story = stripeStory({ ...options, shape, metadata: { tracker_customer_key: await aLead(funnel) } });
				const inOrder = events(story);
				const draw = () => choices.next().value ?? 0;
				const again = inOrder.filter(() => draw() % 3 === 0);
				const shuffled = [...inOrder, ...again].map((event) => ({ event, at: draw() })).sort((a, b) => a.at - b.at);
				await send(funnel, ...shuffled.map(({ event }) => event));
				const types = shuffled.map(({ event }) => event.type).join(' ');
				expect(await booksOf(funnel), types).toMatchObject({ balance });
				expect(
					(await inboxOf(funnel)).filter(({ state }) => state !== 'applied' && state !== 'ignored'),
					types,
				).toEqual([]);
				await expectSoundLedger(funnel);
			}),
			runs(5),
		);
	});
});

test('the API may report the refund of a webhook’s sale before, after or between', async () => {
	for (const at of [1, 2, 3]) {
		const funnel = await aStripeFunnel();
		const { first, checkout } = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
		const refund = first.refund(2_500);
		const events = [checkout.completed(), refund.created(), refund.chargeRefunded()];
		await send(funnel, ...events.slice(0, at));
		const reported = { transaction_id: first.ids.paymentIntent, refund_amount_cents: 2_500, refund_id: refund.id };
		await track('refund', reported, funnel.apiToken);
		await send(funnel, ...events.slice(at));
		expect(await balanceOf(funnel)).toBe(1_500);
	}
});
