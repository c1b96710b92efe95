import { beforeAll, describe, expect, test } from 'vitest';
import { parseClickId } from '../../src/domain/attribution/click-id.ts';
import { linkIdOf } from '../support/clock.ts';
import { aClick, aFunnel, aLead, aPartner, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { browserLead, customersOf, customersWith, serverLead } from '../support/leads.ts';
import { unique } from '../support/world.ts';

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const leadsOf = (customerId: number | undefined) =>
	rows('SELECT click_id, customer_key, is_test FROM affiliate_lead_events WHERE customer_id = ? ORDER BY id', customerId);

describe('decision 4: a lead with both ids links them', () => {
	test("an unknown key becomes the key of the click's customer", async () => {
		const click_id = await aClick(funnel);
		const key = unique('c');
		expect(await browserLead({ click_id })).toBe(200);
		expect(await serverLead({ click_id, customer_key: key }, funnel)).toBe(200);
		const customers = await customersOf(click_id);
		expect(customers).toMatchObject([{ customer_key: key, status: 'lead', click_sequence: 0 }]);
		expect(await leadsOf(customers[0]?.id)).toHaveLength(2);
	});

	test('once linked, the same two ids are refused as a repeat', async () => {
		const click_id = await aClick(funnel);
		const customer_key = unique('c');
		expect(await serverLead({ click_id, customer_key }, funnel)).toBe(200);
		expect(await serverLead({ click_id, customer_key }, funnel)).toBe(400);
		expect(await browserLead({ click_id })).toBe(400);
	});

	test('a conversion without a key gets the key too, and stays a conversion without signup', async () => {
		const click_id = await aClick(funnel);
		await aSale(funnel, { click_id });
		expect(await customersOf(click_id)).toMatchObject([{ status: 'conversion', signup_date: null }]);
		expect(await serverLead({ click_id, customer_key: unique('c') }, funnel)).toBe(200);
		expect(await customersOf(click_id)).toMatchObject([{ status: 'conversion', signup_date: null }]);
	});

	test('the first click wins: a later one of another partner changes nothing', async () => {
		const key = await aLead(funnel);
		const [before] = await customersWith(key, funnel);
		const other = await aPartner(funnel.owner, funnel.id);
		const later = await aClick(other);
		expect(await serverLead({ click_id: later, customer_key: key }, funnel)).toBe(400);
		expect(await browserLead({ click_id: later, customer_key: key })).toBe(400);
		expect(await customersWith(key, funnel)).toEqual([before]);
		expect(await customersOf(later)).toEqual([]);
	});

	test('an unknown key with the click of a customer who has another key creates a further customer', async () => {
		const click_id = await aClick(funnel);
		const keys = [unique('c'), unique('c'), unique('c')];
		for (const customer_key of keys) expect(await serverLead({ click_id, customer_key }, funnel)).toBe(200);
		expect(await customersOf(click_id)).toMatchObject(
			keys.map((customer_key, click_sequence) => ({
				customer_key,
				click_sequence,
				status: 'lead',
				partner_program_id: funnel.partnerProgramId,
			})),
		);
	});

	test('a known customer without attribution takes the first click that the backend sends with its key', async () => {
		const key = unique('c');
		expect(await serverLead({ customer_key: key }, funnel)).toBe(200);
		const [before] = await customersWith(key, funnel);
		expect(before).toMatchObject({ status: 'lead', click_id: null, partner_program_id: null });
		const click_id = await aClick(funnel);
		const taken = await track('lead', { click_id, customer_key: key }, funnel.apiToken);
		expect([taken.status, taken.body['attributed']]).toEqual([200, true]);
		expect(await customersWith(key, funnel)).toEqual([
			{
				...before,
				revision: 1,
				click_id,
				click_sequence: 0,
				clicked_at: parseClickId(click_id)?.clickedAt,
				partner_program_id: funnel.partnerProgramId,
				referral_link_id: await linkIdOf(funnel),
			},
		]);
		expect(await serverLead({ click_id: await aClick(funnel), customer_key: key }, funnel)).toBe(400);
	});

	test('the unattributed customer takes the click even if the browser has created a customer for it', async () => {
		const key = unique('c');
		await serverLead({ customer_key: key }, funnel);
		const click_id = await aClick(funnel);
		await browserLead({ click_id });
		expect(await serverLead({ click_id, customer_key: key }, funnel)).toBe(200);
		expect(await customersOf(click_id)).toMatchObject([
			{ customer_key: null, click_sequence: 0 },
			{ customer_key: key, click_sequence: 1 },
		]);
	});

	test('an unverifiable click does not attribute an unattributed customer', async () => {
		const customer_key = unique('c');
		await serverLead({ customer_key }, funnel);
		expect(await serverLead({ customer_key, click_id: 'cust_1_1' }, funnel)).toBe(400);
		expect(await customersWith(customer_key, funnel)).toMatchObject([{ click_id: null }]);
	});
});
