import { beforeAll, expect, test } from 'vitest';
import { aClick, aFunnel, type Funnel, rows } from '../support/funnel.ts';
import { browserLead, customersOf, customersWith, serverLead } from '../support/leads.ts';
import { unique } from '../support/world.ts';

// Concurrent leads have the same result as leads one after another.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const countOf = (answers: number[], status: number) => answers.filter((answer) => answer === status).length;

test('50 leads with one click: one customer, one 200', async () => {
	const click_id = await aClick(funnel);
	const answers = await Promise.all(Array.from({ length: 50 }, () => browserLead({ click_id })));
	expect([countOf(answers, 200), countOf(answers, 400)]).toEqual([1, 49]);
	const customers = await customersOf(click_id);
	expect(customers).toHaveLength(1);
	expect(await rows('SELECT id FROM affiliate_lead_events WHERE customer_id = ?', customers[0]?.id)).toHaveLength(1);
});

test('50 leads with one key: one customer, one 200', async () => {
	const customer_key = unique('c');
	const answers = await Promise.all(Array.from({ length: 50 }, () => serverLead({ customer_key }, funnel)));
	expect([countOf(answers, 200), countOf(answers, 400)]).toEqual([1, 49]);
	expect(await customersWith(customer_key, funnel)).toHaveLength(1);
});

test('50 leads with one click and one key: one customer, one 200', async () => {
	const click_id = await aClick(funnel);
	const customer_key = unique('c');
	const answers = await Promise.all(Array.from({ length: 50 }, () => serverLead({ click_id, customer_key }, funnel)));
	expect([countOf(answers, 200), countOf(answers, 400)]).toEqual([1, 49]);
	expect(await customersOf(click_id)).toMatchObject([{ customer_key, click_sequence: 0 }]);
});

test('two leads with two keys on one click: two customers, 0 and 1', async () => {
	const click_id = await aClick(funnel);
	const keys = [unique('c'), unique('c')];
	expect(await Promise.all(keys.map((customer_key) => serverLead({ click_id, customer_key }, funnel)))).toEqual([200, 200]);
	const customers = await customersOf(click_id);
	expect(customers.map((customer) => customer.click_sequence)).toEqual([0, 1]);
	expect(new Set(customers.map((customer) => customer.customer_key))).toEqual(new Set(keys));
});

test('20 leads with 20 keys on one click: 20 customers in sequence', async () => {
	const click_id = await aClick(funnel);
	const answers = await Promise.all(Array.from({ length: 20 }, () => serverLead({ click_id, customer_key: unique('c') }, funnel)));
	expect(countOf(answers, 200)).toBe(20);
	expect((await customersOf(click_id)).map((customer) => customer.click_sequence)).toEqual([...Array(20).keys()]);
});

test('20 clicks for one unattributed customer: the first wins, the others are refused', async () => {
	const customer_key = unique('c');
	await serverLead({ customer_key }, funnel);
	const clicks = await Promise.all(Array.from({ length: 20 }, () => aClick(funnel)));
	const answers = await Promise.all(clicks.map((click_id) => serverLead({ customer_key, click_id }, funnel)));
	expect([countOf(answers, 200), countOf(answers, 400)]).toEqual([1, 19]);
	expect(clicks[answers.indexOf(200)]).toBe((await customersWith(customer_key, funnel))[0]?.click_id);
});

test('10 unknown keys with one address: one is linked to its customer, the others are new', async () => {
	const email = `${unique('race')}@people.example`;
	const click_id = await aClick(funnel);
	await serverLead({ click_id, email }, funnel);
	const keys = Array.from({ length: 10 }, () => unique('c'));
	const answers = await Promise.all(keys.map((customer_key) => serverLead({ customer_key, email }, funnel)));
	expect(countOf(answers, 200)).toBe(10);
	const found = await Promise.all(keys.map((key) => customersWith(key, funnel)));
	expect(found.filter(([customer]) => customer?.click_id === click_id)).toHaveLength(1);
});

test('the browser and the backend at once: one customer with both ids', async () => {
	for (let round = 0; round < 5; round += 1) {
		const click_id = await aClick(funnel);
		const customer_key = unique('c');
		const [browser, server] = await Promise.all([browserLead({ click_id }), serverLead({ click_id, customer_key }, funnel)]);
		expect(server).toBe(200);
		expect([200, 400]).toContain(browser);
		expect(await customersOf(click_id)).toMatchObject([{ customer_key, status: 'lead' }]);
	}
});
