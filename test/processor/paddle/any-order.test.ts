import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aLead, balanceOf, rows } from '../../support/funnel.ts';
import { aStripeFunnel, inboxOf, send as sendFromStripe } from '../../support/inbox.ts';
import { aPaddleFunnel, sendFromPaddle } from '../../support/paddle.ts';
import { expectSoundLedger } from '../../support/sound-ledger.ts';
import { type Payment as PaddlePayment, paddleStory, type Story as PaddleStory } from '../../../testing/paddle/story.ts';
import type { PaddleEvent } from '../../../testing/paddle/wire.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import type { Payment as StripePayment, Story as StripeStory } from '../../../testing/stripe/told.ts';
import type { StripeEvent } from '../../../testing/stripe/wire.ts';

// Whatever of a history Paddle tells, in any order and however often: the books are those to which the same history comes at Stripe, told once
// and in order.

/** The same at both processors. */
interface Happening {
	readonly name: string;
	readonly paddle: readonly PaddleEvent[];
	readonly stripe: readonly StripeEvent[];
}

interface Stories {
	readonly paddle: PaddleStory;
	readonly stripe: StripeStory;
}

/** One payment at both. */
interface Paid {
	readonly paddle: PaddlePayment;
	readonly stripe: StripePayment;
}

const DRAWN = fc.record({
	/** What is paid without tax, and how much tax in percent: shares of it are whole cents. */
	hundreds: fc.integer({ min: 1, max: 500 }),
	taxPercent: fc.constantFrom(0, 10, 20),
	isSubscription: fc.boolean(),
	hasTrial: fc.boolean(),
	renewals: fc.array(fc.constantFrom('regular', 'anew', 'proration' as const), { maxLength: 2 }),
	reversals: fc.array(fc.tuple(fc.nat(2), fc.constantFrom('part', 'all', 'rejected', 'lost', 'won' as const)), { maxLength: 3 }),
	isLost: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
	isFlat: fc.boolean(),
	order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
});

type Drawn = typeof DRAWN extends fc.Arbitrary<infer Value> ? Value : never;

function happeningsOf({ paddle, stripe }: Stories, drawn: Drawn): Happening[] {
	const payments: Paid[] = [{ paddle: paddle.first, stripe: stripe.first }];
	const isFree = drawn.isSubscription && drawn.hasTrial;
	const renewals = drawn.isSubscription ? drawn.renewals : [];
	for (const [index, kind] of renewals.entries()) {
		// Each is of another amount, by which the books tell them apart.
		const net = (drawn.hundreds + 1 + index) * 100;
		const tax = (net * drawn.taxPercent) / 100;
		const isProration = kind === 'proration';
		const terms = { amount: net + tax, tax, isProration };
		payments.push({
			paddle: paddle.renew({ ...terms, origin: kind === 'regular' ? 'subscription_recurring' : 'subscription_update' }),
			stripe: stripe.renew({ ...terms, billingReason: kind === 'regular' ? 'subscription_cycle' : 'subscription_update' }),
		});
	}
	return [
		...(drawn.isSubscription ? [{ name: 'began', paddle: [paddle.subscription.created()], stripe: [stripe.subscription.created()] }] : []),
		...payments.map((paid, index) => ({
			name: `paid ${index}`,
			paddle: [paid.paddle.completed()],
			stripe: [...paid.stripe.events(), ...(index === 0 ? [stripe.checkout.completed()] : [])],
		})),
		...drawn.reversals.flatMap(([at, kind]) => {
			const index = at % payments.length;
			const paid = payments[index];
			return paid === undefined || (index === 0 && isFree) ? [] : [{ name: `${kind} ${index}`, ...reversal(paid, kind) }];
		}),
	];
}

function reversal({ paddle, stripe }: Paid, kind: Drawn['reversals'][number][1]): Omit<Happening, 'name'> {
	if (kind === 'lost' || kind === 'won') {
		const [at, other] = [paddle.dispute(), stripe.dispute()];
		const ends =
			kind === 'won'
				? ({ paddle: [at.updated('reversed'), paddle.dispute('chargeback_reverse').created()], stripe: 'won' } as const)
				: undefined;
		return {
			paddle: [at.created(), ...(ends?.paddle ?? [])],
			stripe: [other.created(), ...(ends ? [other.closed(ends.stripe)] : [other.closed('lost')])],
		};
	}
	const amount = kind === 'part' ? paddle.cash / 4 : paddle.cash;
	const [at, other] = [paddle.refund(amount), stripe.refund(amount)];
	const isRejected = kind === 'rejected';
	return {
		paddle: [at.created(), at.updated(isRejected ? 'rejected' : 'approved')],
		stripe: [other.created('pending'), other.updated(isRejected ? 'failed' : 'succeeded')],
	};
}

async function booksOf({ id, partnerProgramId }: { readonly id: number; readonly partnerProgramId: number }): Promise<unknown> {
	const sales = await rows(
		`SELECT s.amount_cents, s.currency, s.sale_type, s.is_recurring, s.subscription_interval, s.refunded_cents, s.commission_state, s.no_commission_reason,
			s.inside_window, c.amount_cents AS earned, c.deducted_cents, c.status, k.status AS customer
		FROM affiliate_sale_events s LEFT JOIN commissions c ON c.sale_id = s.id JOIN customers k ON k.id = s.customer_id
		WHERE s.program_id = ? AND s.duplicate_of_sale_id IS NULL ORDER BY s.amount_cents, s.is_recurring`,
		id,
	);
	const leads = await rows('SELECT count(*) AS leads FROM affiliate_lead_events WHERE program_id = ?', id);
	return { sales, leads, balance: await balanceOf({ partnerProgramId }) };
}

test('any part of a history, in any order, any of it twice, leaves the books that it leaves at Stripe', async () => {
	await fc.assert(
		fc.asyncProperty(DRAWN, async (drawn) => {
			const settings = drawn.isFlat ? { commission: { type: 'flat', amount_cents: 1_000, currency: 'USD' } } : {};
			const [atPaddle, atStripe] = [await aPaddleFunnel(settings), await aStripeFunnel(settings)];
			const net = drawn.hundreds * 100;
			const tax = (net * drawn.taxPercent) / 100;
			const mode = drawn.isSubscription ? ('subscription' as const) : ('payment' as const);
			const terms = {
				mode,
				amount: net + tax,
				tax,
				at: Date.now() + 60_000,
				...(drawn.hasTrial && drawn.isSubscription && { trialDays: 14 }),
			};
			const happenings = happeningsOf(
				{
					paddle: paddleStory({ ...terms, customData: { tracker_customer_key: await aLead(atPaddle) } }),
					stripe: stripeStory({ ...terms, metadata: { tracker_customer_key: await aLead(atStripe) } }),
				},
				drawn,
			).filter((_, index) => drawn.isLost[index] !== true);
			const drawOrder = drawn.order.values();
			const draw = () => drawOrder.next().value ?? 0;
			const events = happenings.flatMap(({ paddle }) => paddle);
			const again = events.filter(() => draw() % 3 === 0);
			const shuffled = [...events, ...again].map((event) => ({ event, at: draw() })).sort((a, b) => a.at - b.at);
			await sendFromPaddle(
				atPaddle,
				shuffled.map(({ event }) => event),
			);
			await sendFromStripe(atStripe, ...happenings.flatMap(({ stripe }) => stripe));
			const told = happenings.map(({ name }) => name).join(', ');
			expect(await booksOf(atPaddle), told).toEqual(await booksOf(atStripe));
			for (const { state, reason } of await inboxOf(atPaddle)) {
				expect(['applied', 'ignored', 'waiting'], told).toContain(state);
				expect(reason).not.toBe('');
			}
			await expectSoundLedger(atPaddle);
		}),
		{ numRuns: 20 },
	);
});
