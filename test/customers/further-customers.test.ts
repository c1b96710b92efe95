import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { FURTHER_CUSTOMERS } from '../../src/domain/attribution/attribution.ts';
import { aClick, aFunnel, aSale, track } from '../support/funnel.ts';
import { customersOf, customersWith, serverLead } from '../support/leads.ts';
import { unique } from '../support/world.ts';

test('a click with more customers than one device has attributes no further leads, but every sale', async () => {
	const funnel = await aFunnel();
	const click_id = await aClick(funnel);
	await serverLead({ click_id, customer_key: unique('first') }, funnel);
	await bringCustomers(click_id, FURTHER_CUSTOMERS - 1);

	const [last, beyond] = [unique('last'), unique('beyond')];
	const answers = [];
	for (const customer_key of [last, beyond]) answers.push(await track('lead', { click_id, customer_key }, funnel.apiToken));
	expect(answers).toMatchObject([
		{ status: 200, body: { attributed: true } },
		{ status: 200, body: { attributed: false } },
	]);
	expect(await customersWith(beyond, funnel)).toMatchObject([{ click_id: null, status: 'lead' }]);

	for (const customer_key of [beyond, unique('buyer')]) {
		const { commissionId } = await aSale(funnel, { click_id, customer_key });
		expect(commissionId).not.toBeNull();
	}
	expect(await customersOf(click_id)).toHaveLength(1 + FURTHER_CUSTOMERS + 2);
});

async function bringCustomers(clickId: string, count: number): Promise<void> {
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		INSERT INTO customers (program_id, customer_key, status, signup_date, partner_program_id, referral_link_id, click_id, clicked_at, click_sequence, created_at)
		SELECT program_id, customer_key || i, status, signup_date, partner_program_id, referral_link_id, click_id, clicked_at, i, created_at
		FROM customers, n WHERE click_id = ?2 AND click_sequence = 0`,
	)
		.bind(count, clickId)
		.run();
}
