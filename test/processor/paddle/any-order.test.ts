import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aLead, balanceOf, rows } from '../../support/funnel.ts';
import { aStripeFunnel, inboxOf, send as sendFromStripe, tickAt } from '../../support/inbox.ts';
import { aPaddleFunnel, sendFromPaddle } from '../../support/paddle.ts';
import { expectSoundLedger } from '../../support/sound-ledger.ts';
import { type Payment as PaddlePayment, paddleStory, type Story as PaddleStory } from '../../../testing/paddle/story.ts';
import type { PaddleEvent } from '../../../testing/paddle/wire.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import type { Payment as StripePayment, Story as StripeStory } from '../../../testing/stripe/story-types.ts';
import type { StripeEvent } from '../../../testing/stripe/wire.ts';
import { runs } from '../../support/runs.ts';

// Any Paddle history leaves, in any order and with repeats, the same ledger as that history at Stripe, sent once and in order.

/** Happens at both processors. */
interface Happening {
	readonly name: string;
	/** Each of these events describes all of it, and at least one is sent. */
	readonly paddle: readonly PaddleEvent[];
	/** Further events, which are sent at random. */
	readonly aside: readonly PaddleEvent[];
	readonly stripe: readonly StripeEvent[];
}

interface Stories {
	readonly paddle: PaddleStory;
	readonly stripe: StripeStory;
}

interface Paid {
	readonly paddle: PaddlePayment;
	readonly stripe: StripePayment;
}

const DRAWN = fc.record({
	/** The price without tax in units of 4.00, so that a quarter is always whole cents. */
	fours: fc.integer({ min: 1, max: 120 }),
	taxPercent: fc.constantFrom(0, 10, 20),
	isSubscription: fc.boolean(),
	hasTrial: fc.boolean(),
	renewals: fc.array(fc.constantFrom('regular', 'anew', 'proration' as const), { maxLength: 2 }),
	reversals: fc.array(fc.tuple(fc.nat(2), fc.constantFrom('part', 'all', 'rejected', 'lost', 'won' as const)), {
		minLength: 1,
		maxLength: 4,
	}),
	/** 0 means that the event is lost. */
	isLost: fc.array(fc.nat(5), { minLength: 9, maxLength: 9 }),
	isFlat: fc.boolean(),
	order: fc.array(fc.nat(), { minLength: 120, maxLength: 120 }),
});

type Drawn = typeof DRAWN extends fc.Arbitrary<infer Value> ? Value : never;

function happeningsOf({ paddle, stripe }: Stories, drawn: Drawn): Happening[] {
	const payments: Paid[] = [{ paddle: paddle.first, stripe: stripe.first }];
	const isFree = drawn.isSubscription && drawn.hasTrial;
	const renewals = drawn.isSubscription ? drawn.renewals : [];
	for (const [index, kind] of renewals.entries()) {
		// Each has a different amount, which identifies it in the result.
		const net = (drawn.fours + 1 + index) * 400;
		const tax = (net * drawn.taxPercent) / 100;
		const isProration = kind === 'proration';
		const terms = { amount: net + tax, tax, isProration };
		payments.push({
			paddle: paddle.renew({ ...terms, origin: kind === 'regular' ? 'subscription_recurring' : 'subscription_update' }),
			stripe: stripe.renew({ ...terms, billingReason: kind === 'regular' ? 'subscription_cycle' : 'subscription_update' }),
		});
	}
	return [
		...(drawn.isSubscription
			? [
					{
						name: 'began',
						paddle: [paddle.subscription.created()],
						aside: [paddle.subscription.updated()],
						stripe: [stripe.subscription.created()],
					},
				]
			: []),
		...payments.map((paid, index) => ({
			name: `paid ${index}`,
			paddle: [paid.paddle.completed()],
			aside: [paid.paddle.paid(), paid.paddle.credit(paid.paddle.cash).created()],
			stripe: [...paid.stripe.events(), ...(index === 0 ? [stripe.checkout.completed()] : [])],
		})),
		...reversalsOf(drawn, payments.length).flatMap(({ index, kind }) => {
			const paid = payments[index];
			return paid === undefined || (index === 0 && isFree) ? [] : [{ name: `${kind} ${index}`, ...reversal(paid, kind) }];
		}),
	];
}

type Kind = Drawn['reversals'][number][1];

/** Paddle's events do not distinguish a second dispute of a transaction from the first. */
function reversalsOf({ reversals }: Drawn, payments: number): { index: number; kind: Kind }[] {
	const all = reversals.map(([at, kind]) => ({ index: at % payments, kind }));
	return all.filter((one, place) => !isDispute(one) || place === all.findIndex((other) => isDispute(other) && other.index === one.index));
}

function isDispute({ kind }: { readonly kind: Kind }): boolean {
	return kind === 'lost' || kind === 'won';
}

function reversal({ paddle, stripe }: Paid, kind: Kind): Omit<Happening, 'name'> {
	if (kind === 'lost' || kind === 'won') {
		const [at, other] = [paddle.dispute(), stripe.dispute()];
		const begun = { paddle: [at.created(), at.updated('approved')], stripe: [other.created(), other.closed(kind)] };
		if (kind === 'lost') return { ...begun, aside: [] };
		const won = [at.updated('reversed'), paddle.dispute('chargeback_reverse').created()];
		return { paddle: won, aside: begun.paddle, stripe: begun.stripe };
	}
	const amount = kind === 'part' ? paddle.cash / 4 : paddle.cash;
	const [at, other] = [paddle.refund(amount), stripe.refund(amount)];
	const asked = [at.created(), at.updated('approved')];
	if (kind !== 'rejected') return { paddle: asked, aside: [], stripe: [other.created('pending'), other.updated('succeeded')] };
	return { paddle: [at.updated('rejected')], aside: asked, stripe: [other.created('pending'), other.updated('failed')] };
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

test('any part of a history, in any order, with repeats, leaves the same ledger as at Stripe', async () => {
	await fc.assert(
		fc.asyncProperty(DRAWN, async (drawn) => {
			const settings = drawn.isFlat ? { commission: { type: 'flat', amount_cents: 1_000, currency: 'USD' } } : {};
			const [atPaddle, atStripe] = [await aPaddleFunnel(settings), await aStripeFunnel(settings)];
			const net = drawn.fours * 400;
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
			).filter((_, index) => drawn.isLost[index] !== 0);
			const drawOrder = drawn.order.values();
			const draw = () => drawOrder.next().value ?? 0;
			const events = happenings.flatMap(({ paddle, aside }) => {
				const least = draw();
				return [
					...paddle.filter((_, index) => index === least % paddle.length || draw() % 2 === 0),
					...aside.filter(() => draw() % 2 === 0),
				];
			});
			const again = events.filter(() => draw() % 3 === 0);
			const shuffled = [...events, ...again].map((event) => ({ event, at: draw() })).sort((a, b) => a.at - b.at);
			await sendFromPaddle(
				atPaddle,
				shuffled.map(({ event }) => event),
			);
			await sendFromStripe(atStripe, ...happenings.flatMap(({ stripe }) => stripe));
			// A renewal that arrived before its trial is retried within a minute.
			await tickAt(Date.now() + 61_000);
			const reported = happenings.map(({ name }) => name).join(', ');
			expect(await booksOf(atPaddle), reported).toEqual(await booksOf(atStripe));
			for (const { state, reason } of await inboxOf(atPaddle)) {
				expect(['applied', 'ignored', 'waiting'], reported).toContain(state);
				expect(reason).not.toBe('');
			}
			await expectSoundLedger(atPaddle);
		}),
		runs(4),
	);
});
