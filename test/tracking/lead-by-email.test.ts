import { beforeAll, expect, test } from 'vitest';
import { aClick, aFunnel, aLead, aPartner, type Funnel } from '../support/funnel.ts';
import { browserLead, customersOf, customersWith, serverLead } from '../support/leads.ts';
import { api, unique } from '../support/world.ts';

// Decision 10a: the address leads a backend to the customer that a browser left.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const anAddress = () => `${unique('Mail')}@People.Example`;

test('an unknown key is bound to the customer with the same address, however written', async () => {
	const email = anAddress();
	const click_id = await aClick(funnel);
	expect(await browserLead({ click_id, email })).toBe(200);
	const customer_key = unique('c');
	expect(await serverLead({ customer_key, email: ` ${email.toUpperCase()} ` }, funnel)).toBe(200);
	expect(await customersWith(customer_key, funnel)).toMatchObject([
		{ click_id, status: 'lead', partner_program_id: funnel.partnerProgramId },
	]);
});

test('the first of several, then the next', async () => {
	const email = anAddress();
	const clicks = [await aClick(funnel), await aClick(funnel)];
	for (const click_id of clicks) await browserLead({ click_id, email });
	const keys = [unique('c'), unique('c'), unique('c')];
	for (const customer_key of keys) expect(await serverLead({ customer_key, email }, funnel)).toBe(200);
	const found = await Promise.all(keys.map((key) => customersWith(key, funnel)));
	expect(found.map(([customer]) => customer?.click_id)).toEqual([...clicks, null]);
});

test('not where the click that came along can be used', async () => {
	const email = anAddress();
	await browserLead({ click_id: await aClick(funnel), email });
	const customer_key = unique('c');
	const click_id = await aClick(funnel);
	expect(await serverLead({ customer_key, email, click_id }, funnel)).toBe(200);
	expect(await customersWith(customer_key, funnel)).toMatchObject([{ click_id }]);
});

test('but where that click verifies to nothing', async () => {
	const email = anAddress();
	const click_id = await aClick(funnel);
	await browserLead({ click_id, email });
	const customer_key = unique('c');
	expect(await serverLead({ customer_key, email, click_id: 'cust_1_1' }, funnel)).toBe(200);
	expect(await customersWith(customer_key, funnel)).toMatchObject([{ click_id }]);
});

test('never in browser mode, never a known key, never across programs', async () => {
	const email = anAddress();
	const first = await aClick(funnel);
	await browserLead({ click_id: first, email });
	const second = await aClick(funnel);
	expect(await browserLead({ click_id: second, customer_key: unique('c'), email })).toBe(200);
	expect(await serverLead({ customer_key: await aLead(funnel), email }, funnel)).toBe(400);
	const other = await aFunnel();
	expect(await serverLead({ customer_key: unique('c'), email }, other)).toBe(200);
	expect(await customersOf(first)).toMatchObject([{ customer_key: null }]);
});

test('not in browser mode either where the click attributes nothing any more', async () => {
	const email = anAddress();
	const own = await aFunnel();
	const first = await aClick(own);
	await browserLead({ click_id: first, email });
	const partner = await aPartner(own.owner, own.id);
	const second = await aClick(partner);
	await api(`/api/v1/programs/${own.id}/partners/${partner.partnerId}`, { method: 'DELETE', token: own.owner.token });
	expect(await browserLead({ click_id: second, customer_key: unique('c'), email })).toBe(200);
	expect(await customersOf(first)).toMatchObject([{ customer_key: null }]);
});

test('it is kept as a keyed hash, and in clear only where the program says so', async () => {
	const email = anAddress();
	const click_id = await aClick(funnel);
	await browserLead({ click_id, email });
	const [hashed] = await customersOf(click_id);
	expect(hashed?.email).toBeNull();
	expect(hashed?.email_hash).toMatch(/^[0-9a-f]{64}$/);
	const keeping = await aFunnel({ keep_emails: true });
	const kept = await aClick(keeping);
	await browserLead({ click_id: kept, email });
	expect(await customersOf(kept)).toMatchObject([{ email: email.toLowerCase(), email_hash: hashed?.email_hash }]);
});

test('never one that a page left where only the backend may name customers', async () => {
	const strict = await aFunnel({ server_leads_only: true });
	const email = anAddress();
	expect(await browserLead({ click_id: await aClick(strict), email })).toBe(200);
	const customer_key = unique('c');
	expect(await serverLead({ customer_key, email }, strict)).toBe(200);
	expect(await customersWith(customer_key, strict)).toMatchObject([{ click_id: null }]);
});
