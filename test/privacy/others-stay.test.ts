import { describe, expect, test } from 'vitest';
import { stripeStory } from '../../testing/stripe/story.ts';
import { placesOf } from '../support/everywhere.ts';
import { rows, track } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send, type StripeFunnel } from '../support/inbox.ts';
import { aStoredPerson, tracesOf } from '../support/person.ts';
import { aClickJob } from '../support/report.ts';
import { sweepAt } from '../support/sweep.ts';
import { api, unique } from '../support/world.ts';

const erase = (of: StripeFunnel, body: object) => api(`${of.path}/customers/erase`, { token: of.owner.token, body });

test('an export has no refused calls of longer keys, or of orders that contain the key', async () => {
	const [own, key] = [await aStripeFunnel(), unique('part')];
	for (const [customer_key, transaction_id] of [
		[`${key}1`, unique('order')],
		['somebody', `${key}-1`],
		['else', `x${key}`],
	])
		await track('sale', { customer_key, transaction_id, amount_cents: 100 }, own.apiToken);
	await track('sale', { customer_key: key, transaction_id: unique('order'), amount_cents: 100 }, own.apiToken);
	const left = async () =>
		(await rows<{ customer_key: string }>('SELECT customer_key FROM refusals WHERE program_id = ? ORDER BY id', own.id)).map(
			(row) => row.customer_key,
		);
	await expect.poll(() => left()).toHaveLength(4);
	const received = await api<{ refusals: { customer_key: string }[] }>(`${own.path}/customers/export`, {
		token: own.owner.token,
		body: { customer_key: key },
	});
	expect(received.body.data.refusals.map((row) => row.customer_key)).toEqual([key]);
	await erase(own, { customer_key: key });
	expect((await left()).toSorted()).toEqual([`${key}1`, 'else'].toSorted());
});

test('a chosen key or address does not export or erase other people', async () => {
	const own = await aStripeFunnel({ keep_emails: true });
	const victim = await aStoredPerson(own);
	const kept = async () => [
		await rows('SELECT id, state, payload FROM processor_events WHERE program_id = ? ORDER BY id', own.id),
		await rows('SELECT id, body FROM dead_letters WHERE program_id = ? ORDER BY id', own.id),
	];
	const before = await kept();
	const parts = { usd: victim.email.slice(1), click: `${victim.email}.test`, kind: `x.${victim.email}` };
	for (const [customer_key, email] of Object.entries(parts)) {
		await track('lead', { customer_key, email }, own.apiToken);
		const received = await api<Record<string, unknown[]>>(`${own.path}/customers/export`, {
			token: own.owner.token,
			body: { customer_key },
		});
		expect([received.status, received.body.data['processor_events'], received.body.data['dead_letters']]).toEqual([200, [], []]);
		await erase(own, { customer_key });
		await sweepAt(Date.now());
	}
	expect(await kept()).toEqual(before);
});

async function signsUp(own: StripeFunnel, customer_key: string): Promise<void> {
	const { clickId } = await aClickJob(own, Date.now());
	const { status } = await track('lead', { customer_key, click_id: clickId }, own.apiToken);
	expect(status).toBe(200);
}

/** Another customer enters the address at checkout. */
async function whoTypes(own: StripeFunnel, email: string) {
	const [customerKey, name] = [unique('typist'), `Mallory ${unique('Moe')}`];
	const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customerKey } });
	const wire = (event: unknown): unknown =>
		JSON.parse(JSON.stringify(event).replaceAll('jenny.rosen@example.com', email).replaceAll('Jenny Rosen', name));
	const events = [story.subscription.created(), story.first.invoicePaid(), story.first.chargeSucceeded(), story.checkout.completed()].map(
		wire,
	);
	await signsUp(own, customerKey);
	return { customerKey, name, payerId: story.ids.customer, subscriptionId: story.ids.subscription ?? '', story, wire, events };
}

async function exported(own: StripeFunnel, body: object): Promise<string> {
	const { status, text } = await api(`${own.path}/customers/export`, { token: own.owner.token, body });
	expect(status).toBe(200);
	return text;
}

const bodiesWith = (own: StripeFunnel, word: string) =>
	rows('SELECT id, state, payload FROM processor_events WHERE program_id = ? AND instr(payload, ?) > 0 ORDER BY id', own.id, word);

describe('an address typed at a checkout', () => {
	test('exports and erases neither its owner for the other customer nor the reverse', async () => {
		const own = await aStripeFunnel({ keep_emails: true });
		const victim = await aStoredPerson(own);
		const typist = await whoTypes(own, victim.email);
		await send(own, ...typist.events);
		const ofTypist = [typist.customerKey, typist.name, typist.payerId, typist.subscriptionId];
		const ofVictim = tracesOf(victim).filter((trace) => trace !== victim.email);

		const toTypist = await exported(own, { customer_key: typist.customerKey });
		for (const trace of ofTypist) expect(toTypist).toContain(trace);
		for (const trace of ofVictim) expect(toTypist).not.toContain(trace);
		for (const asked of [{ customer_key: victim.customerKey }, { email: victim.email }]) {
			const toVictim = await exported(own, asked);
			for (const trace of [victim.customerKey, victim.name, victim.payerId]) expect(toVictim).toContain(trace);
			for (const trace of ofTypist) expect(toVictim).not.toContain(trace);
		}

		const before = await bodiesWith(own, victim.payerId);
		await erase(own, { customer_key: typist.customerKey });
		await sweepAt(Date.now());
		for (const trace of ofTypist) expect(await placesOf(trace)).toEqual([]);
		expect(await bodiesWith(own, victim.payerId)).toEqual(before);
	});

	test("is erased with its owner from the other customer's events, which are still processed", async () => {
		const own = await aStripeFunnel({ keep_emails: true });
		const victim = await aStoredPerson(own);
		const typist = await whoTypes(own, victim.email);
		const [created, paid, ...more] = typist.events;
		await send(own, created, ...more);
		const waiting = await whoTypes(own, victim.email);
		const early = stripeStory({ metadata: { tracker_customer_key: `${waiting.customerKey}-late` } });
		await send(own, waiting.wire(early.checkout.completed()));

		await erase(own, { customer_key: victim.customerKey });
		await sweepAt(Date.now());
		for (const trace of tracesOf(victim)) expect(await placesOf(trace)).toEqual([]);
		expect(await bodiesWith(own, typist.name)).toHaveLength(2);
		expect(await bodiesWith(own, 'erased@erased.invalid')).not.toHaveLength(0);
		await send(own, paid);
		await signsUp(own, `${waiting.customerKey}-late`);
		await sweepAt(Date.now() + 60 * 60_000);
		const sold = await rows(
			`SELECT c.customer_key AS key FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id
			WHERE s.program_id = ? AND c.customer_key IN (?, ?) ORDER BY key`,
			own.id,
			typist.customerKey,
			`${waiting.customerKey}-late`,
		);
		expect(sold.map(({ key }) => key).toSorted()).toEqual([typist.customerKey, `${waiting.customerKey}-late`].toSorted());
		await sweepAt(Date.now() + 2 * 60 * 60_000);
		expect(await placesOf(victim.email)).toEqual([]);
	});

	test("or on a page matches nobody else's data", async () => {
		const own = await aStripeFunnel({ keep_emails: true });
		const victim = await aStoredPerson(own);
		const job = await aClickJob(own, Date.now());
		const customer_key = unique('typist');
		expect((await track('lead', { click_id: job.clickId, customer_key, email: victim.email })).status).toBe(200);
		const toTypist = await exported(own, { customer_key });
		for (const trace of tracesOf(victim).filter((one) => one !== victim.email)) expect(toTypist).not.toContain(trace);
		const kept = async () => [
			await rows('SELECT id, state, payload FROM processor_events WHERE program_id = ? ORDER BY id', own.id),
			await rows('SELECT id, body FROM dead_letters WHERE program_id = ? ORDER BY id', own.id),
			await rows('SELECT id, transaction_id FROM refusals WHERE program_id = ? ORDER BY id', own.id),
		];
		const before = await kept();
		await erase(own, { customer_key });
		await sweepAt(Date.now());
		expect(await kept()).toEqual(before);
	});
});

test('another customer of the same device is not exported, and still earns commissions', async () => {
	const own = await aStripeFunnel();
	const click_id = String((await track('click', { affiliate_url: `https://shop.example/?aff=${own.shortLink}` })).body['click_id']);
	const [first, second] = [unique('first'), unique('second')];
	for (const customer_key of [first, second]) await track('lead', { customer_key, click_id }, own.apiToken);
	const [ofFirst, ofSecond] = [first, second].map((tracker_customer_key) =>
		stripeStory({ mode: 'subscription', metadata: { tracker_customer_key, tracker_click_id: click_id } }),
	);
	if (!ofFirst || !ofSecond) throw new Error('There are two');
	for (const { subscription, first: payment } of [ofFirst, ofSecond]) await send(own, subscription.created(), payment.invoicePaid());
	const alone = stripeStory({ mode: 'subscription', metadata: { tracker_click_id: click_id } });
	await send(own, alone.subscription.created(), alone.first.invoicePaid());
	const received = await exported(own, { customer_key: second });
	for (const trace of [first, ofFirst.ids.customer, ofFirst.ids.subscription, alone.ids.customer]) expect(received).not.toContain(trace);
	for (const trace of [second, click_id, ofSecond.ids.customer]) expect(received).toContain(trace);

	await erase(own, { customer_key: first });
	await sweepAt(Date.now());
	for (const trace of [click_id, first, ofFirst.ids.customer, alone.ids.customer]) expect(await placesOf(trace)).toEqual([]);
	const renewal = ofSecond.renew().invoicePaid();
	await send(own, renewal);
	expect(await outcomeOf(own, renewal)).toMatch(/^applied/);
	expect(await placesOf(click_id)).toEqual([]);
	expect(await exported(own, { customer_key: second })).toContain(ofSecond.ids.customer);
});

test('a click id finds its first customer, not a later one with another key', async () => {
	const own = await aStripeFunnel();
	const { clickId: click_id } = await aClickJob(own, Date.now());
	const [first, second] = [unique('first'), unique('second')];
	for (const customer_key of [first, second]) await track('lead', { customer_key, click_id }, own.apiToken);
	const received = await exported(own, { click_id });
	expect(received).toContain(first);
	expect(received).not.toContain(second);
	await erase(own, { click_id });
	await sweepAt(Date.now());
	expect(await placesOf(first)).toEqual([]);
	expect(await placesOf(click_id)).toEqual([]);
	const sale = await track('sale', { customer_key: second, transaction_id: unique('order'), amount_cents: 100 }, own.apiToken);
	expect([sale.status, sale.body['commission_id']]).toEqual([200, expect.any(Number)]);
});

test("a program cannot erase another program's click by naming it", async () => {
	const [own, others] = [await aStripeFunnel(), await aStripeFunnel()];
	const victim = await aStoredPerson(others);
	const stored = () =>
		rows('SELECT click_id, revision FROM customers WHERE program_id = ? AND customer_key = ?', others.id, victim.customerKey);
	const before = await stored();
	expect(before).toEqual([expect.objectContaining({ click_id: victim.clickId })]);
	// The call is refused, and logged with the ids it named.
	const refused = await track('lead', { click_id: victim.clickId, customer_key: unique('thief') }, own.apiToken);
	expect(refused.status).toBeGreaterThanOrEqual(400);
	await expect.poll(() => rows('SELECT id FROM refusals WHERE program_id = ? AND click_id = ?', own.id, victim.clickId)).toHaveLength(1);
	await erase(own, { click_id: victim.clickId });
	await sweepAt(Date.now());
	expect(await stored()).toEqual(before);
});
