import { beforeAll, describe, expect, test } from 'vitest';
import { placesOf } from '../support/everywhere.ts';
import { deliver } from '../support/deliver.ts';
import { aLead, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, inboxOf, send, type StripeFunnel } from '../support/inbox.ts';
import { aStoredPerson, type StoredPerson, tracesOf } from '../support/person.ts';
import { aClickJob, readBreakdown, readReport } from '../support/report.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { sweepAt } from '../support/sweep.ts';
import { aMember, api, aProgram, signUp, unique } from '../support/world.ts';

const BY = {
	customer_id: async (person: StoredPerson, funnel: StripeFunnel) => (await customerOf(funnel, person)).id,
	customer_key: (person: StoredPerson) => person.customerKey,
	email: (person: StoredPerson) => person.email.toUpperCase(),
	click_id: (person: StoredPerson) => person.clickId,
};

let funnel: StripeFunnel;
beforeAll(async () => {
	funnel = await aStripeFunnel({ keep_emails: true });
});

async function customerOf(of: StripeFunnel, { customerKey }: Pick<StoredPerson, 'customerKey'>) {
	const [row] = await rows<{ id: number }>('SELECT id FROM customers WHERE program_id = ? AND customer_key = ?', of.id, customerKey);
	if (!row) throw new Error('There is no such customer');
	return row;
}

interface Erased {
	readonly erasure_id: number;
	readonly erased: Record<string, number>;
}

const erase = (of: StripeFunnel, body: object, token = of.owner.token) => api<Erased>(`${of.path}/customers/erase`, { token, body });

async function placesOfAll(person: StoredPerson): Promise<string[]> {
	const places: string[] = [];
	for (const trace of tracesOf(person)) places.push(...(await placesOf(trace)).map((place) => `${place}: ${trace}`));
	return places;
}

/** An erasure must not change reports, breakdowns, balances, commissions, payouts, and events without ids. */
async function booksOf(of: StripeFunnel) {
	const { data, metrics } = await readReport(of);
	const breakdowns = await Promise.all(
		['link', 'partner', 'product', 'country', 'source'].map(async (by) => readBreakdown(of, `by=${by}`)),
	);
	return {
		data,
		metrics,
		breakdowns,
		balances: (await api<{ balances: unknown }>(`${of.path}/partners/${of.partnerId}`, { token: of.owner.token })).body.data.balances,
		ledger: await rows('SELECT * FROM ledger_entries WHERE partner_program_id = ? ORDER BY id', of.partnerProgramId),
		payouts: await rows('SELECT * FROM payouts WHERE program_id = ? ORDER BY id', of.id),
		commissions: await rows(
			'SELECT id, sale_id, amount_cents, currency, status, deducted_cents, paid_at, payout_id FROM commissions WHERE program_id = ? ORDER BY id',
			of.id,
		),
		days: await rows('SELECT * FROM daily_performance WHERE program_id = ? ORDER BY day, currency', of.id),
		values: await rows('SELECT * FROM daily_breakdown WHERE program_id = ? ORDER BY dimension, day, value, currency', of.id),
	};
}

describe.each(Object.keys(BY).filter((by): by is keyof typeof BY => by in BY))('an erase by %s', (by) => {
	test('leaves no trace of the person in any column of any table, and all metrics unchanged', async () => {
		const person = await aStoredPerson(funnel);
		const other = await aStoredPerson(funnel);
		await sweepAt(Date.now());
		const before = await booksOf(funnel);
		const ofOther = await placesOfAll(other);
		expect((await placesOfAll(person)).length).toBeGreaterThan(20);

		const { status, text, body } = await erase(funnel, { [by]: await BY[by](person, funnel) });
		expect(status, text).toBe(200);
		expect(body.data.erased).toMatchObject({ customers: 1, clicks: 1, sales: 5, refusals: 1 });
		await sweepAt(Date.now());
		expect(await placesOfAll(person)).toEqual([]);
		expect(await placesOfAll(other)).toEqual(ofOther);
		expect(await booksOf(funnel)).toEqual(before);
		await expectSoundLedger(funnel);
		// The hourly roll-up check finds nothing to repair.
		await sweepAt(Date.now());
		expect(await booksOf(funnel)).toEqual(before);
		const list = await api<{ erased: Record<string, number> }[]>(`${funnel.path}/customers/erasures`, { token: funnel.owner.token });
		expect(list.body.data[0]?.erased).toMatchObject({ leads: 1, processor_events: 7, dead_letters: 1, notifications: 2 });
	});
});

describe('after an erase', () => {
	let person: StoredPerson;
	beforeAll(async () => {
		person = await aStoredPerson(funnel);
		await erase(funnel, { customer_key: person.customerKey });
		await sweepAt(Date.now());
	});

	test('a lead and a sale with the key find no customer', async () => {
		const lead = await track('lead', { customer_key: person.customerKey }, funnel.apiToken);
		expect([lead.status, lead.body['error']]).toEqual([400, 'Customer not found. Provide a valid click_id or customer_key.']);
		const sale = await track(
			'sale',
			{ customer_key: person.customerKey, transaction_id: unique('order'), amount_cents: 100 },
			funnel.apiToken,
		);
		expect([sale.status, sale.body['error']]).toEqual([400, 'Customer not found. Provide customer_key or click_id.']);
		expect(await placesOf(person.customerKey)).toEqual([]);
	});

	test('the click is unknown: a page cannot sign up with it, and a new key with it has no partner', async () => {
		const page = await track('lead', { click_id: person.clickId });
		expect([page.status, page.body['error']]).toEqual([400, 'Customer not found. Provide a valid click_id or customer_key.']);
		const customer_key = unique('customer');
		const backend = await track('lead', { click_id: person.clickId, customer_key }, funnel.apiToken);
		expect([backend.status, backend.body['attributed']]).toEqual([200, false]);
		const sale = await track('sale', { click_id: person.clickId, transaction_id: unique('order'), amount_cents: 100 }, funnel.apiToken);
		expect(sale.status).toBe(400);
		expect(await placesOf(person.clickId)).toEqual([]);
	});

	test('a renewal from Stripe is refused and not stored; a refund is applied without its body', async () => {
		const before = (await readReport(funnel)).metrics;
		await send(funnel, person.wire(person.story.subscription.updated()), person.wire(person.story.first.refund(100).created()));
		await sweepAt(Date.now());
		const [refund, update] = await inboxOf(funnel);
		expect([update?.state, update?.reason]).toEqual(['refused', expect.stringContaining('its customer was erased')]);
		expect(refund?.state).toBe('applied');
		expect((await readReport(funnel)).metrics.netRevenue).not.toBe(before.netRevenue);
		expect(await placesOfAll(person)).toEqual([]);
	});

	test('a refund by a neutral transaction_id still finds its sale', async () => {
		const { status, body } = await track(
			'refund',
			{ transaction_id: person.plainSale, refund_amount_cents: 100, refund_id: 'late' },
			funnel.apiToken,
		);
		expect([status, body['status']]).toEqual([200, 'refunded']);
	});

	test('a second erase finds no such key, and by number erases nothing more', async () => {
		const again = await erase(funnel, { customer_key: person.customerKey });
		expect([again.status, again.body.error]).toEqual([404, 'Customer not found']);
		const [row] = await rows<{ id: number }>('SELECT max(id) AS id FROM customers WHERE erased_at IS NOT NULL');
		const byId = await erase(funnel, { customer_id: row?.id });
		expect([byId.status, byId.body.data.erased['customers']]).toEqual([200, 0]);
	});
});

test('a click row that arrives after the erase is found by the next search', async () => {
	const job = await aClickJob(funnel, Date.now());
	const customerKey = unique('customer');
	await track('lead', { click_id: job.clickId, customer_key: customerKey }, funnel.apiToken);
	await erase(funnel, { customer_key: customerKey });
	await sweepAt(Date.now());
	await deliver('affiliate-clicks', [{ body: job }]);
	expect(await placesOf(job.clickId)).not.toEqual([]);
	await sweepAt(Date.now() + 3 * 60_000);
	expect(await placesOf(job.clickId)).toEqual([]);
});

test("a test lead does not tie another person's click to the erased one", async () => {
	const [customerKey, other] = [unique('customer'), await aClickJob(funnel, Date.now())];
	await track('lead', { customer_key: customerKey }, funnel.apiToken);
	await track('lead', { click_id: other.clickId }, funnel.apiToken);
	await track('lead', { click_id: other.clickId, customer_key: customerKey, additional_data: { test_mode: true } }, funnel.apiToken);
	await erase(funnel, { customer_key: customerKey });
	await sweepAt(Date.now());
	await track('lead', { click_id: other.clickId, customer_key: unique('customer') }, funnel.apiToken);
	const lead = await track('lead', { click_id: other.clickId, customer_key: unique('customer') }, funnel.apiToken);
	expect([lead.status, lead.body['attributed']]).toEqual([200, true]);
});

test('the search ends after 15 days and its encrypted terms are deleted', async () => {
	const customerKey = await aLead(funnel);
	const { body } = await erase(funnel, { customer_key: customerKey });
	await sweepAt(Date.now() + 8 * 86_400_000);
	await sweepAt(Date.now() + 16 * 86_400_000);
	const [row] = await rows('SELECT sealed_search, next_sweep_at FROM erasures WHERE id = ?', body.data.erasure_id);
	expect(row).toEqual({ sealed_search: null, next_sweep_at: null });
});

describe('in a race', () => {
	test('two erases erase once', async () => {
		const customerKey = await aLead(funnel);
		const answers = await Promise.all([erase(funnel, { customer_key: customerKey }), erase(funnel, { customer_key: customerKey })]);
		expect(answers.map(({ status }) => status)).toContain(200);
		expect(answers.reduce((sum, { status, body }) => sum + (status === 200 ? (body.data.erased['customers'] ?? 0) : 0), 0)).toBe(1);
	});

	test('a sale is recorded first or refused, and never names the customer', async () => {
		for (let round = 0; round < 8; round += 1) {
			const customerKey = await aLead(funnel);
			const line_items = [{ name: `Mug for ${customerKey}` }];
			const sell = () =>
				track('sale', { customer_key: customerKey, transaction_id: unique('order'), amount_cents: 100, line_items }, funnel.apiToken);
			const [, ...sales] = await Promise.all([erase(funnel, { customer_key: customerKey }), sell(), sell(), sell()]);
			for (const { status } of sales) expect([200, 400]).toContain(status);
			await sweepAt(Date.now());
			expect(await placesOf(customerKey)).toEqual([]);
		}
	});
});

test('other customers of the same click remain, without its id', async () => {
	const person = await aStoredPerson(funnel);
	const housemate = unique('customer');
	await track('lead', { click_id: person.clickId, customer_key: housemate }, funnel.apiToken);
	await erase(funnel, { customer_key: person.customerKey });
	await sweepAt(Date.now());
	expect(await placesOfAll(person)).toEqual([]);
	const sale = await track('sale', { customer_key: housemate, transaction_id: unique('order'), amount_cents: 100 }, funnel.apiToken);
	expect([sale.status, sale.body['commission_id']]).toEqual([200, expect.any(Number)]);
});

test('a person known only from refused calls is exported and erased too', async () => {
	const customerKey = unique('stranger');
	await track('sale', { customer_key: customerKey, transaction_id: unique('order'), amount_cents: 100 }, funnel.apiToken);
	await expect.poll(() => placesOf(customerKey)).toEqual(['refusals.customer_key']);
	const exported = await api<{ refusals: object[] }>(`${funnel.path}/customers/export`, {
		token: funnel.owner.token,
		body: { customer_key: customerKey },
	});
	expect(exported.body.data).toMatchObject({
		customers: [],
		refusals: [{ operation: 'sale', status: 400, customer_key: customerKey, first_at: expect.stringMatching(/Z$/) }],
	});
	expect((await erase(funnel, { customer_key: customerKey })).body.data.erased).toMatchObject({ customers: 0, refusals: 1 });
	expect(await placesOf(customerKey)).toEqual([]);
	await sweepAt(Date.now());
	expect((await erase(funnel, { customer_key: customerKey })).status).toBe(404);
});

test('all times of an export are ISO 8601, even that of a hold', async () => {
	const person = await aStoredPerson(funnel);
	const exported = await api<{ commissions: object[] }>(`${funnel.path}/customers/export`, {
		token: funnel.owner.token,
		body: { email: person.email },
	});
	expect(exported.body.data.commissions[0]).toMatchObject({ hold_until: expect.stringMatching(/Z$/) });
});

test('the pseudonym of an erased id finds nobody', async () => {
	const customerKey = unique('customer');
	await track('lead', { customer_key: customerKey }, funnel.apiToken);
	const { id } = await customerOf(funnel, { customerKey });
	await erase(funnel, { customer_key: customerKey });
	const [row] = await rows<{ customer_key: string }>('SELECT customer_key FROM customers WHERE id = ?', id);
	expect(row?.customer_key).toMatch(/^erased_[0-9a-f]{24}$/);
	expect((await track('lead', { customer_key: row?.customer_key }, funnel.apiToken)).status).toBe(400);
});

test.each([
	[{}, 'Send one of customer_id, customer_key, email and click_id'],
	[{ customer_key: 'a', email: 'a@b.example' }, 'Send one of customer_id, customer_key, email and click_id'],
	[{ email: 'a' }, 'email must be an email address'],
	[{ key: 'a' }, 'Unknown field: key'],
])('%j is answered 400: %s', async (body, error) => {
	const answer = await erase(funnel, body);
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});

test.each([
	['nobody', 401],
	['a member', 403],
	['an admin', 200],
	['an owner', 200],
	['a foreign owner', 403],
] as const)('%s is answered %i', async (who, expected) => {
	const { owner } = funnel;
	const stranger = await signUp();
	await aProgram(stranger);
	const tokens = {
		nobody: {},
		'a member': { token: (await aMember(owner, 'member')).token },
		'an admin': { token: (await aMember(owner, 'admin')).token },
		'an owner': { token: owner.token },
		'a foreign owner': { token: stranger.token },
	};
	const customerKey = await aLead(funnel);
	for (const route of ['export', 'erase']) {
		const answer = await api(`${funnel.path}/customers/${route}`, { ...tokens[who], body: { customer_key: customerKey } });
		expect(answer.status).toBe(expected);
		expect(expected === 200 || !answer.text.includes(customerKey)).toBe(true);
	}
	expect((await api(`${funnel.path}/customers/erasures`, tokens[who])).status).toBe(expected);
	// The next sweep erases what was written during the erasure.
	await sweepAt(Date.now());
	expect((await placesOf(customerKey)).length > 0).toBe(expected !== 200);
});
