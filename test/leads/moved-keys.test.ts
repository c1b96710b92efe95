import { beforeAll, describe, expect, test } from 'vitest';
import { aClaim, ATTRIBUTED, type Claimant, claimedBy, leadTo, ownerOf } from '../support/claims.ts';
import { connected, customEvent, type CustomFunnel, outcomes, sendCustom } from '../support/custom-webhook.ts';
import { tick } from '../support/deliver.ts';
import { placesOf } from '../support/everywhere.ts';
import { aClick, aFunnel, aPartner, aSale, balanceOf, type Funnel, rows } from '../support/funnel.ts';
import { browserLead, customersOf, serverLead } from '../support/leads.ts';
import { readBreakdown } from '../support/report.ts';
import { aWebhook } from '../support/webhooks.ts';
import { api, unique } from '../support/world.ts';

// What remains of a page's claim after its key has moved (decision 4), sign-ups reported by the custom webhook, and concurrent calls.

let funnel: Funnel;
/** Claims keys with a click of their own. */
let mallory: Claimant;
beforeAll(async () => {
	funnel = await aFunnel({ keep_emails: true });
	mallory = await aPartner(funnel.owner, funnel.id);
});

const clickOf = async (key: string, of: Funnel) => (await ownerOf(key, of)).click_id;

describe('a sign-up from the custom webhook decides too', () => {
	let own: CustomFunnel;
	let by: Claimant;
	beforeAll(async () => {
		own = await connected(await aFunnel());
		by = await aPartner(own.owner, own.id);
	});
	const signsUp = async (data: Record<string, unknown>) => {
		const event = customEvent('signup', data);
		await sendCustom(own, event);
		return (await outcomes(own)).get(event.id);
	};

	test('another click moves the key', async () => {
		const key = unique('c');
		const claimed = await aClaim(key, by);
		const click_id = await aClick(own);
		expect(await signsUp({ customer_key: key, click_id })).toMatch(/^applied: Lead \d+ recorded$/);
		expect(await ownerOf(key, own)).toMatchObject({ click_id, key_from_page: 0, partner_program_id: own.partnerProgramId });
		expect(await claimedBy(claimed)).toMatchObject([{ customer_key: null, partner_program_id: by.partnerProgramId }]);
	});

	test('the same click confirms it, and one without a click changes nothing', async () => {
		const key = unique('c');
		const click_id = await aClaim(key, by);
		expect(await signsUp({ customer_key: key })).toBe('applied: The customer is a lead already, or has bought');
		expect(await ownerOf(key, own)).toMatchObject({ click_id, key_from_page: 1 });
		expect(await signsUp({ customer_key: key, click_id })).toBe('applied: The customer is a lead already, or has bought');
		expect(await ownerOf(key, own)).toMatchObject({ click_id, key_from_page: 0 });
	});

	test('a payment does not move it', async () => {
		const key = unique('c');
		const claimed = await aClaim(key, by);
		const data = { payment_id: unique('order'), customer_key: key, click_id: await aClick(own), amount_cents: 10_000, currency: 'USD' };
		await sendCustom(own, customEvent('payment', data));
		expect([await clickOf(key, own), await balanceOf(by)]).toEqual([claimed, 2_000]);
	});
});

describe("the page's customer remains", () => {
	test('without key and clear email, with its click, partner and figures', async () => {
		const own = await aFunnel({ keep_emails: true });
		const by = await aPartner(own.owner, own.id);
		const key = unique('c');
		const click_id = await aClaim(key, by, { email: `${unique('typed')}@people.example` });
		const before = await ownerOf(key, own);
		expect(before.email).toMatch(/^typed/);
		const email = `${unique('own')}@people.example`;
		expect(await leadTo(own, { customer_key: key, click_id: await aClick(own), email })).toEqual(ATTRIBUTED);
		expect(await claimedBy(click_id)).toEqual([{ ...before, customer_key: null, email: null, key_from_page: 0, revision: 1 }]);
		expect(await ownerOf(key, own)).toMatchObject({ email });
		await tick();
		const { data } = await readBreakdown(own, 'by=partner');
		expect(data.map(({ value, leads }) => [value, leads]).toSorted()).toEqual(
			[
				[own.partnerId, 1],
				[by.partnerId, 1],
			].toSorted(),
		);
	});

	test('its lead event and webhooks lose the key', async () => {
		const own = await aFunnel();
		await aWebhook(own.owner, own, { types: ['lead.created'] });
		const by = await aPartner(own.owner, own.id);
		const key = unique('c');
		const click_id = await aClaim(key, by);
		await tick();
		const [{ id } = { id: 0 }] = await customersOf(click_id);
		const delivered = () => rows<{ payload: string }>('SELECT payload FROM webhook_deliveries WHERE customer_id = ?', id);
		expect(JSON.parse((await delivered())[0]?.payload ?? '').data.customer_key).toBe(key);
		await leadTo(own, { customer_key: key, click_id: await aClick(own) });
		expect(await rows('SELECT click_id, customer_key FROM affiliate_lead_events WHERE customer_id = ?', id)).toEqual([
			{ click_id, customer_key: null },
		]);
		expect(JSON.parse((await delivered())[0]?.payload ?? '').data).toMatchObject({ id, customer_key: null, click_id });
	});

	test("erasing by the key erases the real customer, not the page's", async () => {
		const own = await aFunnel({ keep_emails: true });
		await aWebhook(own.owner, own, { types: ['lead.created', 'sale.created'] });
		const by = await aPartner(own.owner, own.id);
		const key = unique('erased-key');
		const claimed = await aClaim(key, by, { email: `${key}@people.example` });
		await browserLead({ click_id: await aClick(by), customer_key: key });
		await tick();
		const click_id = await aClick(own);
		await leadTo(own, { customer_key: key, click_id, email: `${unique('own')}@people.example` });
		await aSale(own, { customer_key: key });
		await tick();
		const [page] = await claimedBy(claimed);
		await expect.poll(() => placesOf(key)).toContain('refusals.customer_key');
		const { status } = await api(`/api/v1/programs/${own.id}/customers/erase`, { token: own.owner.token, body: { customer_key: key } });
		expect(status).toBe(200);
		await expect.poll(() => placesOf(key)).toEqual([]);
		expect(await customersOf(click_id)).toEqual([]);
		expect(await claimedBy(claimed)).toEqual([page]);
	});

	test("before the key moves, erasing by it erases the page's customer", async () => {
		const key = unique('erased-key');
		const claimed = await aClaim(key, mallory);
		await api(`/api/v1/programs/${funnel.id}/customers/erase`, { token: funnel.owner.token, body: { customer_key: key } });
		await expect.poll(() => placesOf(key)).toEqual([]);
		expect(await customersOf(claimed)).toEqual([]);
	});
});

describe('concurrent calls', () => {
	test('20 clicks for one claimed key: the first gets it, the others are refused', async () => {
		const key = unique('c');
		const claimed = await aClaim(key, mallory);
		const clicks = await Promise.all(Array.from({ length: 20 }, () => aClick(funnel)));
		const answers = await Promise.all(clicks.map((click_id) => serverLead({ customer_key: key, click_id }, funnel)));
		expect(answers.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
		expect(await clickOf(key, funnel)).toBe(clicks[answers.indexOf(200)]);
		expect(await claimedBy(claimed)).toMatchObject([{ customer_key: null }]);
	});

	test("the claim's own click and another one: the first decides", async () => {
		for (let round = 0; round < 5; round += 1) {
			const key = unique('c');
			const claimed = await aClaim(key, mallory);
			const other = await aClick(funnel);
			const [, moved] = await Promise.all([claimed, other].map((click_id) => serverLead({ customer_key: key, click_id }, funnel)));
			expect(await ownerOf(key, funnel)).toMatchObject({ click_id: moved === 200 ? other : claimed, key_from_page: 0 });
		}
	});

	test('a sale and a lead: the key moves before the sale or not at all', async () => {
		for (let round = 0; round < 8; round += 1) {
			const key = unique('c');
			const claimed = await aClaim(key, mallory);
			const other = await aClick(funnel);
			const [{ saleId }, moved] = await Promise.all([
				aSale(funnel, { customer_key: key }),
				serverLead({ customer_key: key, click_id: other }, funnel),
			]);
			const [sold] = await rows(
				'SELECT c.customer_key, c.click_id FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE s.id = ?',
				saleId,
			);
			expect(sold).toEqual({ customer_key: key, click_id: moved === 200 ? other : claimed });
			expect(await clickOf(key, funnel)).toBe(moved === 200 ? other : claimed);
		}
	});

	test('a page and the backend: in either order, the backend’s click gets the key', async () => {
		for (let round = 0; round < 5; round += 1) {
			const [key, ofPage, own] = [unique('c'), await aClick(mallory), await aClick(funnel)];
			const [, server] = await Promise.all([
				browserLead({ customer_key: key, click_id: ofPage }),
				serverLead({ customer_key: key, click_id: own }, funnel),
			]);
			expect([server, await clickOf(key, funnel)]).toEqual([200, own]);
		}
	});
});
