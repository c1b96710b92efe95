import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/domain/calendar.ts';
import { aLead, balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, receive, send, type StripeFunnel, tickAt, work } from '../support/inbox.ts';
import { readReport } from '../support/report.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Story } from '../../testing/stripe/story-types.ts';
import type { Shape, StripeEvent } from '../../testing/stripe/wire.ts';
import { runs } from '../support/runs.ts';

// Over HTTP, the events of a payment leave the same ledger in any order. test/orders/ tries every order.

/** Stripe's ids, which are new in every timeline, become their types. */
function withoutIds(table: readonly Record<string, unknown>[]): unknown {
	const text = JSON.stringify(table).replaceAll(/\b(pi|ch|in|re|du|sub|prod|price|cus|cs_live)_[\da-zA-Z]{10,}/g, '$1');
	return JSON.parse(text);
}

/** All stored rows about a program's sales, without ids. */
async function booksOf({ id, partnerProgramId }: StripeFunnel) {
	const ofSales = 'JOIN affiliate_sale_events s ON s.id = sale_id WHERE s.program_id = ?';
	return {
		sales: withoutIds(
			await rows(
				`SELECT processor_event_id, amount_cents, currency, charged_cents, refunded_cents, reported_refund_cents, sale_type, is_recurring,
					subscription_id, subscription_interval, product_id, line_items, inside_window, commission_state, invoice_id, duplicate_of_sale_id
				FROM affiliate_sale_events WHERE program_id = ? ORDER BY id`,
				id,
			),
		),
		aliases: withoutIds(await rows(`SELECT a.alias FROM sale_aliases a ${ofSales} ORDER BY a.sale_id, substr(a.alias, 1, 3)`, id)),
		commissions: await rows(
			'SELECT amount_cents, currency, deducted_cents, status, refund_reason FROM commissions WHERE program_id = ? ORDER BY id',
			id,
		),
		ledger: await rows(
			'SELECT kind, nominal_cents, applied_cents, balance_after_cents FROM ledger_entries WHERE partner_program_id = ? ORDER BY id',
			partnerProgramId,
		),
		refunds: await rows('SELECT source, amount_cents, outcome, reason FROM refund_events WHERE program_id = ? ORDER BY id', id),
		told: withoutIds(
			await rows(
				`SELECT r.kind, r.amount_cents, r.currency, r.undone_at IS NULL AS counts FROM payment_reversals r ${ofSales}
				ORDER BY r.sale_id, r.kind, r.amount_cents`,
				id,
			),
		),
	};
}

/** The first payment is partly refunded, one renewal is disputed and won, and one is refunded. */
function subscription({ subscription: of, first, ...story }: Story): StripeEvent[] {
	const refund = first.refund(2_975, 'requested_by_customer');
	const [second, third] = [story.renew(), story.renew()];
	const [dispute, failing] = [second.dispute(), third.refund()];
	return [
		...first.events(),
		refund.created(),
		refund.chargeRefunded(),
		...second.events(),
		dispute.created(),
		dispute.fundsWithdrawn(),
		dispute.closed('won'),
		...third.events(),
		failing.created('pending'),
		failing.failed(),
		third.refund(5_950).chargeRefunded(),
		of.deleted(),
	];
}

function singlePayments({ checkout, first }: Story): StripeEvent[] {
	const [one, two] = [first.refund(2_975), first.refund(5_950)];
	return [checkout.completed(), ...first.events(), one.chargeRefunded(), two.chargeRefunded(), two.created(), one.created()];
}

describe('one timeline in both shapes of the API', () => {
	test.each([
		['of a subscription', 'subscription', subscription],
		['of a single payment with an invoice', 'payment', singlePayments],
	] as const)('%s leaves the same rows', async (_name, mode, eventsOf) => {
		const reported = async (shape: Shape) => {
			const funnel = await aStripeFunnel();
			const metadata = { tracker_customer_key: await aLead(funnel) };
			const story = stripeStory({ mode, shape, metadata, amount: 11_900, tax: 1_900, withInvoice: mode === 'payment' });
			await send(funnel, ...eventsOf(story));
			expect((await inboxOf(funnel, '?limit=100')).filter(({ state }) => state !== 'applied')).toEqual([]);
			return booksOf(funnel);
		};
		const [fromNew, fromOld] = [await reported('new'), await reported('old')];
		expect(fromOld).toEqual(fromNew);
		expect(fromNew.ledger.length).toBeGreaterThan(1);
	});
});

describe('everything at once, in any order, twice', () => {
	test('with the backend also reporting the sale and refunds: refunds of 25 and 50 of 100 leave 25 % of the commission', async () => {
		await fc.assert(
			fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.constantFrom<Shape>('old', 'new'), async (choices, shape) => {
				const draw = () => choices.next().value ?? 0;
				const funnel = await aStripeFunnel();
				const customer_key = await aLead(funnel);
				const { checkout, first, ids } = stripeStory({ shape, metadata: { tracker_customer_key: customer_key } });
				const [one, two] = [first.refund(2_500), first.refund(5_000)];
				const events = [
					checkout.completed(),
					first.chargeSucceeded(),
					first.paymentIntentSucceeded(),
					...[one, two].flatMap((refund) => [refund.created(), refund.chargeRefunded()]),
				];
				const names = [ids.session, first.ids.paymentIntent, first.ids.charge];
				const name = () => names[draw() % names.length] ?? '';
				const reported = () => track('sale', { transaction_id: name(), amount_cents: 10_000, customer_key }, funnel.apiToken);
				const refunded =
					({ id }: { readonly id: string }, cents: number) =>
					() =>
						track('refund', { transaction_id: name(), refund_amount_cents: cents, refund_id: id }, funnel.apiToken);
				const calls = [reported, refunded(one, 2_500), refunded(two, 5_000)].filter(() => draw() % 2 === 0);
				const shuffled = [...events, ...events, ...calls].map((item) => ({ item, at: draw() })).sort((a, b) => a.at - b.at);

				const received = shuffled.map(({ item }) => (typeof item === 'function' ? item() : receive(funnel, item)));
				const messages = (await Promise.all(received)).flatMap((answer) => ('messages' in answer ? answer.messages : []));
				// Drops some messages, as if the Worker had died between receipt and processing.
				const kept = messages.filter(() => draw() % 4 > 0);
				await Promise.all([...kept, ...kept].map((message) => work([message])));
				for (const call of calls) await call();
				for (const minutes of [1, 2, 4, 8]) await tickAt(Date.now() + minutes * MINUTE_MS);

				const settled = (await inboxOf(funnel)).map(({ state }) => state);
				expect(settled).toEqual(events.map(() => 'applied'));
				expect(await rows('SELECT id FROM dead_letters WHERE program_id = ?', funnel.id)).toEqual([]);
				expect(
					await rows(
						`SELECT s.refunded_cents, c.status, c.deducted_cents FROM affiliate_sale_events s JOIN commissions c ON c.sale_id = s.id
						WHERE s.program_id = ? AND s.duplicate_of_sale_id IS NULL`,
						funnel.id,
					),
				).toEqual([{ refunded_cents: 7_500, status: 'refunded', deducted_cents: 1_500 }]);
				expect(await balanceOf(funnel)).toBe(500);
				expect((await readReport(funnel)).metrics).toMatchObject({ netRevenue: 25, netCommission: 5 });
				await expectSoundLedger(funnel);
			}),
			runs(3),
		);
	});
});
