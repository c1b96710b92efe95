import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, trackWith } from '../support/bindings.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { faultyDb, losingAnswers } from '../../testing/d1/failing.ts';
import { aClick, aFunnel, aPartner, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { browserLead, customersOf, customersWith, serverLead } from '../support/leads.ts';
import { api, unique } from '../support/world.ts';

// Decision 4 without the program key: anyone can have a click and guess keys and addresses, so such a lead never changes a known customer.
// It can only give a key to its own click's customer, if that customer has none.

let funnel: Funnel;
/** A malicious partner with real clicks. */
let thief: Pick<Funnel, 'shortLink' | 'partnerProgramId'>;
beforeAll(async () => {
	funnel = await aFunnel();
	thief = await aPartner(funnel.owner, funnel.id);
});

const LOCKED = (status: string) => ({ error: `Customer status cannot be updated to lead. Current status: ${status}` });
const leadsOf = (customerId: number | undefined) => rows('SELECT id FROM affiliate_lead_events WHERE customer_id = ?', customerId);
const post = async (body: object) => {
	const answer = await track('lead', body);
	return [answer.status, answer.body];
};

describe('a customer whom the backend recorded without a click', () => {
	test("is not taken over by a stranger's click: 400, and nothing changes", async () => {
		const customer_key = unique('c');
		await serverLead({ customer_key }, funnel);
		const before = await customersWith(customer_key, funnel);
		const click_id = await aClick(thief);
		expect(await post({ click_id, customer_key })).toEqual([400, LOCKED('lead')]);
		expect(await customersWith(customer_key, funnel)).toEqual(before);
		expect(await customersOf(click_id)).toEqual([]);
		const sale = { transaction_id: unique('txn'), amount_cents: 5_000, customer_key };
		expect(await track('sale', sale, funnel.apiToken)).toMatchObject({
			status: 400,
			body: { error: 'partnerId required to create commission' },
		});
	});

	test("nor by a click that already has a customer; only the backend may link the visitor's own click", async () => {
		const customer_key = unique('c');
		await serverLead({ customer_key }, funnel);
		const click_id = await aClick(funnel);
		expect(await browserLead({ click_id })).toBe(200);
		expect(await post({ click_id, customer_key })).toEqual([400, LOCKED('lead')]);
		expect(await customersOf(click_id)).toMatchObject([{ customer_key: null }]);
		expect(await serverLead({ click_id, customer_key }, funnel)).toBe(200);
		expect(await customersWith(customer_key, funnel)).toMatchObject([{ click_id, partner_program_id: funnel.partnerProgramId }]);
	});
});

describe('one click makes one lead', () => {
	test('a second lead is refused, with any key', async () => {
		const click_id = await aClick(thief);
		const [first, second] = [unique('c'), unique('c')];
		expect((await post({ click_id, customer_key: first }))[0]).toBe(200);
		for (const body of [{ click_id }, { click_id, customer_key: first }, { click_id, customer_key: second }]) {
			expect(await post(body)).toEqual([400, LOCKED('lead')]);
		}
		const customers = await customersOf(click_id);
		expect(customers).toMatchObject([{ customer_key: first }]);
		expect(await leadsOf(customers[0]?.id)).toHaveLength(1);
		expect(await customersWith(second, funnel)).toEqual([]);
		expect(await serverLead({ click_id, customer_key: second }, funnel)).toBe(200);
	});

	test('so is one after the purchase', async () => {
		const click_id = await aClick(funnel);
		await aSale(funnel, { click_id, customer_key: unique('c') });
		expect(await post({ click_id })).toEqual([400, LOCKED('conversion')]);
		expect(await post({ click_id, customer_key: unique('c') })).toEqual([400, LOCKED('conversion')]);
		expect(await customersOf(click_id)).toHaveLength(1);
	});

	test('50 concurrent leads with different keys: one customer, one lead', async () => {
		const click_id = await aClick(thief);
		const keys = Array.from({ length: 50 }, () => unique('c'));
		const answers = await Promise.all(keys.map((customer_key) => browserLead({ click_id, customer_key })));
		expect(answers.filter((status) => status === 200)).toHaveLength(1);
		expect(answers.filter((status) => status === 400)).toHaveLength(49);
		const customers = await customersOf(click_id);
		expect(customers).toMatchObject([{ customer_key: keys[answers.indexOf(200)] }]);
		expect(await leadsOf(customers[0]?.id)).toHaveLength(1);
	});
});

describe("an unknown key is added to the click's customer without a key", () => {
	test('once: 200 with the existing lead, and no second lead', async () => {
		const click_id = await aClick(funnel);
		const first = await track('lead', { click_id });
		const customer_key = unique('c');
		const named = await track('lead', { click_id, customer_key, email: 'a@people.example' });
		expect([named.status, named.body]).toEqual([
			200,
			{ success: true, lead_id: first.body['lead_id'], attributed: true, message: 'Lead recorded' },
		]);
		const customers = await customersOf(click_id);
		expect(customers).toMatchObject([{ customer_key, status: 'lead', email_hash: null }]);
		expect(await leadsOf(customers[0]?.id)).toHaveLength(1);
		expect(await post({ click_id, customer_key })).toEqual([400, LOCKED('lead')]);
		expect(await post({ click_id, customer_key: unique('c') })).toEqual([400, LOCKED('lead')]);
	});

	test('a customer who bought by the click gets the key with the first lead, and stays a conversion', async () => {
		const click_id = await aClick(funnel);
		await aSale(funnel, { click_id });
		const customer_key = unique('c');
		expect((await post({ click_id, customer_key }))[0]).toBe(200);
		const customers = await customersOf(click_id);
		expect(customers).toMatchObject([{ customer_key, status: 'conversion', signup_date: null }]);
		expect(await leadsOf(customers[0]?.id)).toHaveLength(1);
	});

	test('20 keys at once: only one is added', async () => {
		const click_id = await aClick(funnel);
		await browserLead({ click_id });
		const keys = Array.from({ length: 20 }, () => unique('c'));
		const answers = await Promise.all(keys.map((customer_key) => browserLead({ click_id, customer_key })));
		expect(answers.filter((status) => status === 200)).toHaveLength(1);
		expect(await customersOf(click_id)).toMatchObject([{ customer_key: keys[answers.indexOf(200)] }]);
	});

	test.each([
		['once', () => losingAnswers(env.DB, 1)],
		['always', () => losingAnswers(env.DB, 3)],
		['at the commit', () => faultyDb(env.DB, (trip) => (trip === 2 ? 'loses its answer' : undefined))],
	])('if the answer is lost %s, it is still a 200', async (_, faulty) => {
		const click_id = await aClick(funnel);
		const first = await track('lead', { click_id });
		const customer_key = unique('c');
		const named = await trackWith({ DB: faulty() }, 'lead', { click_id, customer_key });
		expect([named.status, named.body['lead_id']]).toEqual([200, first.body['lead_id']]);
		expect(await customersOf(click_id)).toMatchObject([{ customer_key }]);
	});

	test('not if the program accepts keys only from its backend', async () => {
		const careful = await aFunnel({ server_leads_only: true });
		const click_id = await aClick(careful);
		await browserLead({ click_id });
		expect(await browserLead({ click_id, customer_key: unique('c') })).toBe(403);
		expect(await customersOf(click_id)).toMatchObject([{ customer_key: null }]);
	});

	test('takes two trips', async () => {
		const click_id = await aClick(funnel);
		await browserLead({ click_id });
		const DB = countingTrips(env.DB);
		expect((await trackWith({ DB }, 'lead', { click_id, customer_key: unique('c') })).status).toBe(200);
		expect(DB.trips()).toBe(2);
	});
});

test('a click that no longer attributes records no customer, with or without a key', async () => {
	const own = await aFunnel();
	const click_id = await aClick(own);
	await env.DB.prepare('UPDATE referral_links SET partner_program_id = NULL WHERE short_link = ?').bind(own.shortLink).run();
	const customer_key = unique('c');
	expect(await browserLead({ click_id, customer_key })).toBe(400);
	expect(await browserLead({ click_id })).toBe(400);
	expect(await customersWith(customer_key, own)).toEqual([]);
});

/** What can happen to a victim, in any order. The thief has clicks, and knows keys and addresses. */
type Deed = 'lead' | 'lead with click' | 'sale' | 'key' | 'fresh key' | 'key and address' | 'address' | 'nothing';
const VICTIMS: readonly Deed[] = ['lead', 'lead with click', 'sale'];
const THEFTS: readonly Deed[] = ['key', 'key and address', 'address', 'fresh key', 'nothing'];

test('in any order, no theft changes a known customer or whose commissions they earn', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.constantFrom(...VICTIMS, ...THEFTS), { minLength: 2, maxLength: 6 }), async (deeds) => {
			const [customer_key, email, own, stolen] = [
				unique('c'),
				`${unique('mail')}@people.example`,
				await aClick(funnel),
				await aClick(thief),
			];
			for (const deed of deeds) {
				const before = await customersWith(customer_key, funnel);
				if (VICTIMS.includes(deed)) {
					const ids = deed === 'lead' ? { customer_key, email } : { customer_key, email, click_id: own };
					if (deed === 'sale') await track('sale', { transaction_id: unique('txn'), amount_cents: 100, ...ids }, funnel.apiToken);
					else await serverLead(ids, funnel);
					continue;
				}
				// A page can claim an unknown key unless server_leads_only is set. Only known keys matter here.
				if (before.length === 0 && deed.startsWith('key')) continue;
				await browserLead({
					click_id: stolen,
					...(deed.startsWith('key') ? { customer_key } : {}),
					...(deed === 'fresh key' ? { customer_key: unique('c') } : {}),
					...(deed.endsWith('address') ? { email } : {}),
				});
				expect(await customersWith(customer_key, funnel)).toEqual(before);
			}
			const [victim] = await customersWith(customer_key, funnel);
			if (victim) expect([null, funnel.partnerProgramId]).toContain(victim.partner_program_id);
			expect((await customersOf(stolen)).length).toBeLessThanOrEqual(1);
			const unknown = unique('c');
			await serverLead({ customer_key: unknown, email }, funnel);
			expect(await customersWith(unknown, funnel)).toMatchObject([{ click_id: null }]);
		}),
		{ numRuns: 25 },
	);
});

describe('the status warns about page leads that arrive too late', () => {
	test('with their number, and what to do', async () => {
		const place = await aFunnel();
		expect(await checkOf(place)).toEqual({ name: 'page_leads_credited', ok: true, next_action: null });
		for (const _ of [1, 2, 3]) {
			const customer_key = unique('c');
			await serverLead({ customer_key }, place);
			expect(await browserLead({ customer_key, click_id: await aClick(place) })).toBe(400);
		}
		await expect
			.poll(() => checkOf(place))
			.toMatchObject({ ok: false, next_action: expect.stringMatching(/^Your pages sent 3 leads .*Send the click_id/) });
	});

	test('and about no other refusal', async () => {
		const place = await aFunnel();
		const customer_key = unique('c');
		const click_id = await aClick(place);
		await browserLead({ click_id, customer_key });
		for (const body of [{ click_id }, { click_id, customer_key }, { click_id: await aClick(place), customer_key }]) {
			expect(await browserLead(body)).toBe(400);
		}
		await serverLead({ customer_key }, place);
		expect(await rows('SELECT * FROM uncredited_leads WHERE program_id = ?', place.id)).toEqual([]);
	});

	test('the count takes one more trip, and so does recording a refusal; the answer waits for neither', async () => {
		const [place, customer_key] = [await aFunnel(), unique('c')];
		await serverLead({ customer_key }, place);
		const click_id = await aClick(place);
		const DB = countingTrips(env.DB);
		expect((await trackWith({ DB }, 'lead', { customer_key, click_id })).status).toBe(400);
		expect(DB.trips()).toBe(1 + 1 + 1);
		expect((await trackWith({ DB }, 'lead', { customer_key }, bearer(place.apiToken))).status).toBe(400);
		expect(DB.trips()).toBe(1 + 1 + 1 + (1 + 1));
	});
});

async function checkOf({ apiToken }: Funnel) {
	const { text } = await api('/api/v1/cli/status', { token: apiToken });
	const { checks }: { readonly checks: readonly { readonly name: string }[] } = JSON.parse(text);
	return checks.find(({ name }) => name === 'page_leads_credited');
}
