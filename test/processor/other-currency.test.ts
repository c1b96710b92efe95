import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { aCustomFunnel, customEvent, outcomes, sendCustom } from '../support/custom-webhook.ts';
import { tick } from '../support/deliver.ts';
import { aLead, aSale, balanceOf, type Funnel, rows } from '../support/funnel.ts';
import { aStripeFunnel, aStory, eventWith, inboxOf, outcomeOf, send, tickAt } from '../support/inbox.ts';
import { aPaddleFunnel, aPaddleStory, sendFromPaddle } from '../support/paddle.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, unique } from '../support/world.ts';

// A refund or dispute in another currency than its payment (decision 60). A sale of 100.00 earns 20.00.

const REFUSED = 'refused: Refused: the refund is in EUR, its payment in USD';

const statusOf = async ({ apiToken }: Funnel) => (await api('/api/v1/cli/status', { token: apiToken })).text;

const reportedTo = async ({ id, owner }: Funnel) => {
	const { body } = await api<readonly { readonly kind: string; readonly message: string }[]>(`/api/v1/notifications?program_id=${id}`, {
		token: owner.token,
	});
	return body.data.filter(({ kind }) => kind === 'reversal_refused').map(({ message }) => message);
};

test('a refund in another currency is refused if the charge is known: the status turns red, and the owner is notified', async () => {
	const funnel = await aCustomFunnel();
	const payment = unique('order');
	const paid = customEvent('payment', { payment_id: payment, customer_key: await aLead(funnel), amount_cents: 10_000, currency: 'USD' });
	const refund = customEvent('refund', { refund_id: 'r1', payment_id: payment, amount_cents: 2_500, currency: 'EUR' });
	await sendCustom(funnel, paid, refund);
	expect((await outcomes(funnel)).get(refund.id)).toBe(REFUSED);
	expect(await statusOf(funnel)).toContain('was refused on');
	expect(await statusOf(funnel)).toContain('the refund is in EUR, its payment in USD');
	const [reported, ...more] = await reportedTo(funnel);
	expect(more).toEqual([]);
	expect(reported).toMatch(/was not applied\. Refused: the refund is in EUR, its payment in USD\. The commission does not change/);
	expect(reported).toContain(`until a corrected event arrives or you report the refund yourself. See event ${refund.id} under`);
	expect(await balanceOf(funnel)).toBe(2_000);

	const corrected = customEvent('refund', { refund_id: 'r2', payment_id: payment, amount_cents: 2_500, currency: 'USD' });
	await sendCustom(funnel, corrected);
	expect(await balanceOf(funnel)).toBe(1_500);
	await expectSoundLedger(funnel);
});

test('such a refund from Stripe is refused too', async () => {
	const funnel = await aStripeFunnel();
	const story = await aStory(funnel);
	const refund = eventWith(story.first.refund(2_500).created(), { currency: 'eur' });
	await send(funnel, story.checkout.completed(), refund);
	expect(await outcomeOf(funnel, refund)).toBe(REFUSED);
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('such a refund from Paddle is refused too', async () => {
	const funnel = await aPaddleFunnel();
	const story = await aPaddleStory(funnel);
	const refund = story.first.refund(2_500).updated('approved');
	const inEuros: typeof refund = JSON.parse(JSON.stringify(refund).replaceAll('"USD"', '"EUR"'));
	await sendFromPaddle(funnel, [story.first.completed(), inEuros]);
	expect((await inboxOf(funnel, '?state=refused')).map(({ reason }) => `refused: ${reason}`)).toEqual([REFUSED]);
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('a dispute waits while the charge is unknown, and counts once an event reports it', async () => {
	const funnel = await aStripeFunnel();
	const story = stripeStory({ currency: 'eur', amount: 9_200 });
	await aSale(funnel, { transaction_id: story.first.ids.charge });
	const dispute = story.first.dispute(4_600).created();
	await send(funnel, dispute);
	expect(await outcomeOf(funnel, dispute)).toMatch(
		/^waiting: waits: the dispute is in EUR, and no event has reported the charge of sale \d+ yet$/,
	);
	expect(await balanceOf(funnel)).toBe(2_000);
	await send(funnel, story.checkout.completed(), story.first.paymentIntentSucceeded());
	expect(await outcomeOf(funnel, dispute)).toMatch(/^applied: Dispute of 50\.00 USD of sale \d+: commission \d+ reduced by 10\.00 USD$/);
	expect(await balanceOf(funnel)).toBe(1_000);
	expect(await reportedTo(funnel)).toEqual([]);
	await expectSoundLedger(funnel);
});

test('a dispute counts once the charge is reported by an id of the payment that the dispute does not name', async () => {
	const funnel = await aStripeFunnel();
	const story = stripeStory({ mode: 'subscription', currency: 'eur', amount: 9_200 });
	await aSale(funnel, { transaction_id: story.first.ids.charge });
	const dispute = story.first.dispute(4_600).created();
	await send(funnel, story.first.chargeSucceeded(), story.first.invoicePaymentPaid(), dispute);
	expect(await outcomeOf(funnel, dispute)).toMatch(/^waiting: /);
	await send(funnel, story.first.invoicePaid());
	expect(await outcomeOf(funnel, dispute)).toMatch(/^applied: Dispute of 50\.00 USD of sale \d+: commission \d+ reduced by 10\.00 USD$/);
});

test('a dispute expires with a reason if no event reports the charge', async () => {
	const funnel = await aStripeFunnel();
	const story = stripeStory({ currency: 'eur', amount: 9_200 });
	await aSale(funnel, { transaction_id: story.first.ids.charge });
	const dispute = story.first.dispute().created();
	await send(funnel, dispute);
	await tickAt(Date.now() + 5 * DAY_MS);
	expect(await outcomeOf(funnel, dispute)).toMatch(
		/^expired: the dispute in EUR of sale \d+ was not applied: no event reported what was charged/,
	);
	expect(await balanceOf(funnel)).toBe(2_000);
	expect(await statusOf(funnel)).toContain('no event reported what was charged for the sale. No commission was reversed');
});

test('a won dispute deducts nothing in any currency', async () => {
	const funnel = await aStripeFunnel();
	const story = await aStory(funnel);
	const dispute = story.first.dispute();
	await send(funnel, story.checkout.completed(), eventWith(dispute.closed('won'), { currency: 'eur' }));
	expect(await rows('SELECT 1 AS refused FROM processor_events WHERE program_id = ? AND state = ?', funnel.id, 'refused')).toEqual([]);
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('a dispute reported as won before it began deducts nothing and notifies nobody', async () => {
	const funnel = await aStripeFunnel();
	const story = await aStory(funnel);
	const dispute = story.first.dispute();
	const [won, created] = [dispute.closed('won'), dispute.created()].map((event) => eventWith(event, { currency: 'eur' }));
	if (!won || !created) throw new Error('There are two');
	await send(funnel, story.checkout.completed(), won, created);
	expect(await outcomeOf(funnel, created)).toMatch(/^applied: /);
	expect(await reportedTo(funnel)).toEqual([]);
	expect(await balanceOf(funnel)).toBe(2_000);
	await expectSoundLedger(funnel);
});

test('a refused refund notifies once, however many events report it', async () => {
	const funnel = await aStripeFunnel();
	const story = await aStory(funnel);
	const [one, other] = [story.first.refund(2_500), story.first.refund(1_000)];
	const inEuros = [one.created(), one.created(), other.created()].map((event) => eventWith(event, { currency: 'eur' }));
	await send(funnel, story.checkout.completed(), ...inEuros);
	expect(await rows('SELECT 1 AS refused FROM processor_events WHERE program_id = ? AND state = ?', funnel.id, 'refused')).toHaveLength(3);
	expect(await reportedTo(funnel)).toHaveLength(2);
});

test('the notice loses its reason once the customer is erased', async () => {
	const funnel = await aCustomFunnel();
	const [payment, customerKey] = [unique('order'), await aLead(funnel)];
	const paid = customEvent('payment', { payment_id: payment, customer_key: customerKey, amount_cents: 10_000, currency: 'USD' });
	const refund = customEvent('refund', { refund_id: 'r1', payment_id: payment, amount_cents: 2_500, currency: 'EUR' });
	await sendCustom(funnel, paid, refund);
	await api(`${funnel.path}/customers/erase`, { token: funnel.owner.token, body: { customer_key: customerKey } });
	await tick();
	expect(await reportedTo(funnel)).toEqual([expect.stringMatching(/ was not applied\. The commission does not change until/)]);
});
