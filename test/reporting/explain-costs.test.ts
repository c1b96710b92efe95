import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { countingTrips, metered } from '../../testing/d1/metered.ts';
import { callWith } from '../support/bindings.ts';
import { aFunnel, aSale } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

test.each(['transaction_id', 'click_id', 'customer_key', 'payment_id'])(
	'explaining by %s takes two trips, including the access check',
	async (kind) => {
		const funnel = await aFunnel();
		const DB = countingTrips(env.DB);
		await callWith({ DB }, `/api/v1/programs/${funnel.id}/explain?${kind}=cust_1_2`, { token: funnel.owner.token });
		expect(DB.trips()).toBe(2);
	},
);

test('explaining reads no more in a larger program', async () => {
	const funnel = await aFunnel();
	const { transactionId, commissionId } = await aSale(funnel);
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO affiliate_sale_events (program_id, processor_event_id, is_test, amount_cents, currency, sale_type, is_recurring, inside_window,
			commission_state, no_commission_reason, created_at, sale_day, op_id)
		SELECT ?1, ?2 || i, 1, 5, 'USD', 'payment', 0, 0, 'none', 'test_mode', 1, '2026-01-01', ?2 || i FROM n`,
	)
		.bind(funnel.id, unique('many'))
		.run();
	const path = `/api/v1/programs/${funnel.id}`;
	const ids = ['transaction_id', 'payment_id', 'customer_key', 'click_id'].map((kind) => `explain?${kind}=${transactionId}`);
	for (const asked of [...ids, `commissions/${commissionId}/explanation`]) {
		const DB = metered(env.DB);
		await callWith({ DB }, `${path}/${asked}`, { token: funnel.owner.token });
		expect(DB.spent().rowsRead).toBeLessThan(100);
	}
});
