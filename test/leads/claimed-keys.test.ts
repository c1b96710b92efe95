import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { losingAnswers } from '../../testing/d1/failing.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { aClaim, ATTRIBUTED, type Claimant, claimedBy, leadTo, LOCKED, ownerOf } from '../support/claims.ts';
import { aClick, aFunnel, aPartner, aSale, balanceOf, type Funnel, rows } from '../support/funnel.ts';
import { aStripeFunnel, outcomeOf, send } from '../support/inbox.ts';
import { browserLead, customersOf, serverLead } from '../support/leads.ts';
import { unique } from '../support/world.ts';

// Anyone can claim a customer's key with their own click, so the backend's first lead with a click decides (decision 4).

let funnel: Funnel;
/** Claims keys with a click of their own. */
let mallory: Claimant;
beforeAll(async () => {
	funnel = await aFunnel({ keep_emails: true });
	mallory = await aPartner(funnel.owner, funnel.id);
});

const clickOf = async (key: string, of: Funnel) => (await ownerOf(key, of)).click_id;

describe("the backend's lead overrides a claim made only by a page", () => {
	test('20 keys that a stranger claimed in advance go to their real customers', async () => {
		const keys = Array.from({ length: 20 }, () => unique('c'));
		await Promise.all(keys.map(async (key) => aClaim(key, mallory)));
		const before = await balanceOf(mallory);
		const own = await balanceOf(funnel);
		for (const customer_key of keys) {
			expect(await leadTo(funnel, { customer_key, click_id: await aClick(funnel) })).toEqual(ATTRIBUTED);
			await aSale(funnel, { customer_key });
		}
		expect([await balanceOf(mallory), await balanceOf(funnel)]).toEqual([before, own + 20 * 2_000]);
	});

	test('a key from a page is marked, one from a backend is not', async () => {
		const [ofPage, ofBackend] = [unique('c'), unique('c')];
		await aClaim(ofPage, mallory);
		await serverLead({ customer_key: ofBackend, click_id: await aClick(funnel) }, funnel);
		expect(await ownerOf(ofPage, funnel)).toMatchObject({ key_from_page: 1 });
		expect(await ownerOf(ofBackend, funnel)).toMatchObject({ key_from_page: 0 });
	});

	test('a key that a page adds to its visitor is marked, and can move', async () => {
		const [click_id, key] = [await aClick(mallory), unique('c')];
		expect(await serverLead({ click_id, email: `${unique('visitor')}@people.example` }, funnel)).toBe(200);
		expect(await browserLead({ click_id, customer_key: key })).toBe(200);
		expect(await ownerOf(key, funnel)).toMatchObject({ click_id, key_from_page: 1 });
		const other = await aClick(funnel);
		expect(await leadTo(funnel, { customer_key: key, click_id: other })).toEqual(ATTRIBUTED);
		expect(await ownerOf(key, funnel)).toMatchObject({ click_id: other, key_from_page: 0 });
		expect(await claimedBy(click_id)).toMatchObject([{ customer_key: null, email: null, key_from_page: 0 }]);
	});

	test('a key from before the upgrade has no mark, and never moves', async () => {
		const key = unique('c');
		const click_id = await aClaim(key, mallory);
		await env.DB.prepare('UPDATE customers SET key_from_page = 0, revision = revision + 1 WHERE click_id = ?').bind(click_id).run();
		expect(await leadTo(funnel, { customer_key: key, click_id: await aClick(funnel) })).toEqual(LOCKED);
		expect(await clickOf(key, funnel)).toBe(click_id);
	});
});

describe('the same click confirms the claim', () => {
	test('with the usual answer; after that no other click moves the key', async () => {
		const key = unique('c');
		const click_id = await aClaim(key, mallory);
		const before = await ownerOf(key, funnel);
		expect(await leadTo(funnel, { customer_key: key, click_id })).toEqual(LOCKED);
		expect(await ownerOf(key, funnel)).toEqual({ ...before, key_from_page: 0, revision: 1 });
		expect(await leadTo(funnel, { customer_key: key, click_id: await aClick(funnel) })).toEqual(LOCKED);
		expect(await clickOf(key, funnel)).toBe(click_id);
	});

	test('even if the answer of its commit is lost', async () => {
		const key = unique('c');
		const click_id = await aClaim(key, mallory);
		const { status } = await trackWith({ DB: losingAnswers(env.DB) }, 'lead', { customer_key: key, click_id }, bearer(funnel.apiToken));
		expect([status, (await ownerOf(key, funnel)).key_from_page]).toEqual([400, 0]);
	});
});

describe('another click moves the key to the customer of that click', () => {
	test('a new one', async () => {
		const key = unique('c');
		const claimed = await aClaim(key, mallory);
		const click_id = await aClick(funnel);
		expect(await leadTo(funnel, { customer_key: key, click_id })).toEqual(ATTRIBUTED);
		expect(await ownerOf(key, funnel)).toMatchObject({
			click_id,
			click_sequence: 0,
			partner_program_id: funnel.partnerProgramId,
			key_from_page: 0,
		});
		expect(await claimedBy(claimed)).toHaveLength(1);
	});

	test('a known one without a key', async () => {
		const key = unique('c');
		await aClaim(key, mallory);
		const click_id = await aClick(funnel);
		await browserLead({ click_id });
		const [visitor] = await customersOf(click_id);
		expect(await leadTo(funnel, { customer_key: key, click_id })).toEqual(ATTRIBUTED);
		expect(await customersOf(click_id)).toMatchObject([{ id: visitor?.id, customer_key: key, signup_date: visitor?.signup_date }]);
	});

	test('one who has bought without a key', async () => {
		const key = unique('c');
		await aClaim(key, mallory);
		const click_id = await aClick(funnel);
		await aSale(funnel, { click_id });
		expect(await leadTo(funnel, { customer_key: key, click_id })).toEqual(ATTRIBUTED);
		expect(await ownerOf(key, funnel)).toMatchObject({ click_id, status: 'conversion', key_from_page: 0 });
	});

	test('or, if that customer has another key, to a further customer of the click', async () => {
		const [key, other] = [unique('c'), unique('c')];
		await aClaim(key, mallory);
		const click_id = await aClick(funnel);
		await serverLead({ customer_key: other, click_id }, funnel);
		expect(await leadTo(funnel, { customer_key: key, click_id })).toEqual(ATTRIBUTED);
		expect(await customersOf(click_id)).toMatchObject([
			{ customer_key: other, click_sequence: 0 },
			{ customer_key: key, click_sequence: 1 },
		]);
	});

	test('by the first lead with a click, and by no later one', async () => {
		const key = unique('c');
		await aClaim(key, mallory);
		const [first, second] = [await aClick(funnel), await aClick(mallory)];
		expect(await leadTo(funnel, { customer_key: key, click_id: first })).toEqual(ATTRIBUTED);
		expect(await leadTo(funnel, { customer_key: key, click_id: second })).toEqual(LOCKED);
		expect(await clickOf(key, funnel)).toBe(first);
	});

	test('in two trips, and only once if the answer of its commit is lost', async () => {
		const [key, other] = [unique('c'), unique('c')];
		await aClaim(key, mallory);
		await aClaim(other, mallory);
		const DB = countingTrips(env.DB);
		const moving = { customer_key: key, click_id: await aClick(funnel) };
		expect([(await trackWith({ DB }, 'lead', moving, bearer(funnel.apiToken))).status, DB.trips()]).toEqual([200, 2]);
		const lost = { customer_key: other, click_id: await aClick(funnel) };
		expect((await trackWith({ DB: losingAnswers(env.DB) }, 'lead', lost, bearer(funnel.apiToken))).body).toMatchObject({
			attributed: true,
		});
		const { id, click_id } = await ownerOf(other, funnel);
		expect(click_id).toBe(lost.click_id);
		expect(await rows('SELECT id FROM affiliate_lead_events WHERE customer_id = ?', id)).toHaveLength(1);
	});
});

describe('a key does not move because of', () => {
	test('a lead without a valid click: the answer is the usual one, and the next lead with a click moves the key', async () => {
		const key = unique('c');
		const claimed = await aClaim(key, mallory);
		const before = await ownerOf(key, funnel);
		const foreign = await aClick(await aFunnel());
		for (const click_id of [undefined, 'cust_1_1', foreign])
			expect(await leadTo(funnel, { customer_key: key, click_id, email: 'somebody@people.example' })).toEqual(LOCKED);
		const additional_data = { test_mode: true };
		expect((await leadTo(funnel, { customer_key: key, click_id: await aClick(funnel), additional_data }))[0]).toBe(200);
		expect(await ownerOf(key, funnel)).toEqual(before);
		expect(await leadTo(funnel, { customer_key: key, click_id: await aClick(funnel) })).toEqual(ATTRIBUTED);
		expect(await claimedBy(claimed)).toMatchObject([{ customer_key: null }]);
	});

	test('a page, with any click', async () => {
		const key = unique('c');
		await aClaim(key, mallory);
		const before = await ownerOf(key, funnel);
		expect(await browserLead({ customer_key: key, click_id: await aClick(funnel) })).toBe(400);
		expect(await browserLead({ customer_key: key, click_id: before.click_id })).toBe(400);
		expect(await ownerOf(key, funnel)).toEqual(before);
	});

	test('a sale, and after it no lead moves the key either', async () => {
		const key = unique('c');
		const claimed = await aClaim(key, mallory);
		const before = await balanceOf(mallory);
		await aSale(funnel, { customer_key: key, click_id: await aClick(funnel) });
		expect([await clickOf(key, funnel), await balanceOf(mallory)]).toEqual([claimed, before + 2_000]);
		const sold = await ownerOf(key, funnel);
		const answer = [400, 'Customer status cannot be updated to lead. Current status: conversion'];
		expect(await leadTo(funnel, { customer_key: key, click_id: await aClick(funnel) })).toEqual(answer);
		expect(await leadTo(funnel, { customer_key: key, click_id: claimed })).toEqual(answer);
		expect(await ownerOf(key, funnel)).toEqual(sold);
	});

	test("a processor's payment", async () => {
		const own = await aStripeFunnel();
		const [key, by] = [unique('c'), await aPartner(own.owner, own.id)];
		const claimed = await aClaim(key, by);
		const metadata = { tracker_customer_key: key, tracker_click_id: await aClick(own) };
		const paid = stripeStory({ metadata }).checkout.completed();
		await send(own, paid);
		expect(await outcomeOf(own, paid)).toMatch(/^applied: Sale \d+ recorded/);
		expect([await clickOf(key, own), await balanceOf(by), await balanceOf(own)]).toEqual([claimed, 2_000, 0]);
	});

	test("the sign-up of a processor's trial", async () => {
		const own = await aStripeFunnel();
		const [key, by] = [unique('c'), await aPartner(own.owner, own.id)];
		const claimed = await aClaim(key, by);
		const metadata = { tracker_customer_key: key, tracker_click_id: await aClick(own) };
		const story = stripeStory({ mode: 'subscription', trialDays: 14, metadata });
		await send(own, story.subscription.created());
		expect(await ownerOf(key, own)).toMatchObject({ click_id: claimed, key_from_page: 1 });
	});
});
