import { beforeAll, expect, test } from 'vitest';
import { aClick, aFunnel, aLead, aPartner, type Funnel, track } from '../support/funnel.ts';
import { browserLead, customersOf, customersWith, serverLead } from '../support/leads.ts';
import { api, unique } from '../support/world.ts';

// With an email address, a backend finds the customer that an earlier lead with the program key recorded (decision 10a).

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const anAddress = () => `${unique('Mail')}@People.Example`;

test('an unknown key is linked to the customer with the same address, in any spelling', async () => {
	const email = anAddress();
	const click_id = await aClick(funnel);
	expect(await serverLead({ click_id, email }, funnel)).toBe(200);
	const customer_key = unique('c');
	expect(await serverLead({ customer_key, email: ` ${email.toUpperCase()} ` }, funnel)).toBe(200);
	expect(await customersWith(customer_key, funnel)).toMatchObject([
		{ click_id, status: 'lead', partner_program_id: funnel.partnerProgramId },
	]);
});

test('the first of several customers gets it, then the next', async () => {
	const email = anAddress();
	const clicks = [await aClick(funnel), await aClick(funnel)];
	for (const click_id of clicks) await serverLead({ click_id, email }, funnel);
	const keys = [unique('c'), unique('c'), unique('c')];
	for (const customer_key of keys) expect(await serverLead({ customer_key, email }, funnel)).toBe(200);
	const found = await Promise.all(keys.map((key) => customersWith(key, funnel)));
	expect(found.map(([customer]) => customer?.click_id)).toEqual([...clicks, null]);
});

test('a lead with a valid click is not linked by address', async () => {
	const email = anAddress();
	await serverLead({ click_id: await aClick(funnel), email }, funnel);
	const customer_key = unique('c');
	const click_id = await aClick(funnel);
	expect(await serverLead({ customer_key, email, click_id }, funnel)).toBe(200);
	expect(await customersWith(customer_key, funnel)).toMatchObject([{ click_id }]);
});

test('a lead is linked by address if its click cannot be verified', async () => {
	const email = anAddress();
	const click_id = await aClick(funnel);
	await serverLead({ click_id, email }, funnel);
	const customer_key = unique('c');
	expect(await serverLead({ customer_key, email, click_id: 'cust_1_1' }, funnel)).toBe(200);
	expect(await customersWith(customer_key, funnel)).toMatchObject([{ click_id }]);
});

test('a lead in browser mode, for a known key or in another program is not linked by address', async () => {
	const email = anAddress();
	const first = await aClick(funnel);
	await serverLead({ click_id: first, email }, funnel);
	const second = await aClick(funnel);
	expect(await browserLead({ click_id: second, customer_key: unique('c'), email })).toBe(200);
	expect(await serverLead({ customer_key: await aLead(funnel), email }, funnel)).toBe(400);
	const other = await aFunnel();
	expect(await serverLead({ customer_key: unique('c'), email }, other)).toBe(200);
	expect(await customersOf(first)).toMatchObject([{ customer_key: null }]);
});

test('a lead in browser mode is not linked even if its click no longer attributes', async () => {
	const email = anAddress();
	const own = await aFunnel();
	const first = await aClick(own);
	await serverLead({ click_id: first, email }, own);
	const partner = await aPartner(own.owner, own.id);
	const second = await aClick(partner);
	await api(`/api/v1/programs/${own.id}/partners/${partner.partnerId}`, { method: 'DELETE', token: own.owner.token });
	const customer_key = unique('c');
	expect(await browserLead({ click_id: second, customer_key, email })).toBe(400);
	expect(await customersOf(first)).toMatchObject([{ customer_key: null }]);
	expect(await customersWith(customer_key, own)).toEqual([]);
});

test('an address is stored as a keyed hash, and as plain text only if the program is set to keep email addresses', async () => {
	const email = anAddress();
	const click_id = await aClick(funnel);
	await serverLead({ click_id, email }, funnel);
	const [hashed] = await customersOf(click_id);
	expect(hashed?.email).toBeNull();
	expect(hashed?.email_hash).toMatch(/^[0-9a-f]{64}$/);
	const keeping = await aFunnel({ keep_emails: true });
	const kept = await aClick(keeping);
	await serverLead({ click_id: kept, email }, keeping);
	expect(await customersOf(kept)).toMatchObject([{ email: email.toLowerCase(), email_hash: hashed?.email_hash }]);
});

test.each([{}, { server_leads_only: true }])('an address from a page is not found later (%j)', async (settings) => {
	const place = await aFunnel(settings);
	const email = anAddress();
	const click_id = await aClick(place);
	expect(await browserLead({ click_id, email })).toBe(200);
	expect(await customersOf(click_id)).toMatchObject([{ email: null, email_hash: null }]);
	const customer_key = unique('c');
	const lead = await track('lead', { customer_key, email }, place.apiToken);
	expect([lead.status, lead.body['attributed']]).toEqual([200, false]);
	expect(await customersWith(customer_key, place)).toMatchObject([{ click_id: null }]);
});

test("a page's address is stored in clear too, until a backend reports another", async () => {
	const keeping = await aFunnel({ keep_emails: true });
	const click_id = await aClick(keeping);
	await browserLead({ click_id, email: 'page@people.example' });
	expect(await customersOf(click_id)).toMatchObject([{ email: 'page@people.example', email_hash: null }]);
	const customer_key = unique('c');
	await browserLead({ click_id, customer_key, email: 'another@people.example' });
	expect(await customersOf(click_id)).toMatchObject([{ customer_key, email: 'page@people.example', email_hash: null }]);
	const other = await aClick(keeping);
	await browserLead({ click_id: other, email: 'page@people.example' });
	await serverLead({ click_id: other, customer_key: unique('c'), email: 'backend@people.example' }, keeping);
	expect(await customersOf(other)).toMatchObject([{ email: 'backend@people.example', email_hash: expect.any(String) }]);
});
