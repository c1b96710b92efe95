import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, aPartner, aSale, type Funnel, track } from '../support/funnel.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';

interface Uncredited {
	readonly id: number;
	readonly reason_code: string;
	readonly reason: string;
	readonly amount_cents: number;
}

async function asPartner({ partnerId }: Pick<Funnel, 'partnerId'>): Promise<Owner> {
	const person = await signUp();
	await env.DB.prepare('UPDATE partners SET user_id = ? WHERE id = ?').bind(person.userId, partnerId).run();
	return person;
}

const listed = (of: Pick<Funnel, 'partnerProgramId'>, by: Owner, query = '', headers: Record<string, string> = {}) =>
	api<Uncredited[]>(`/api/v1/partner-programs/${of.partnerProgramId}/unearned-sales${query}`, { token: by.token, headers });

describe('uncredited sales', () => {
	let funnel: Funnel;
	let partner: Owner;
	let other: Awaited<ReturnType<typeof aPartner>>;
	const suspend = (status: string, partnerId = funnel.partnerId) =>
		api(`/api/v1/programs/${funnel.id}/partners/${partnerId}`, { token: funnel.owner.token, method: 'PATCH', body: { status } });

	beforeAll(async () => {
		funnel = await aFunnel({ commission: { type: 'percent', percent: 20, recurring_months: 0 } });
		partner = await asPartner(funnel);
		other = await aPartner(funnel.owner, funnel.id);
	});

	test('are listed with the reason, newest first, without the customer', async () => {
		const customer_key = unique('secret-customer');
		const subscription = { subscription_id: unique('secret-sub'), sale_type: 'subscription' };
		await track('lead', { customer_key, click_id: await clickOf(funnel) }, funnel.apiToken);
		const earned = await aSale(funnel, { customer_key, ...subscription, amount_cents: 5_000 });
		const renewal = await aSale(funnel, { customer_key, ...subscription, amount_cents: 5_000, is_recurring: true, product_id: 'pro' });
		await suspend('suspended');
		const suspended = await aSale(funnel, { customer_key, amount_cents: 300 });
		const foreign = await aSale({ ...funnel, ...other }, { amount_cents: 400 });
		await suspend('active');

		const { status, text, body } = await listed(funnel, partner);
		expect([status, body]).toEqual([
			200,
			{
				success: true,
				data: [
					{
						id: suspended.saleId,
						reason_code: 'partner_suspended',
						reason: 'Your membership was suspended when it was recorded',
						amount_cents: 300,
						refunded_cents: 0,
						currency: 'USD',
						product_id: null,
						sub_id: null,
						created_at: expect.stringMatching(/Z$/),
					},
					expect.objectContaining({
						id: renewal.saleId,
						reason_code: 'recurring_limit_reached',
						reason: 'The program pays only for the first payment of a subscription. This was a renewal',
						product_id: 'pro',
					}),
				],
				meta: { next_cursor: null, previous_cursor: null },
			},
		]);
		expect([earned.commissionId, foreign.commissionId]).not.toContain(null);
		for (const secret of [customer_key, subscription.subscription_id, suspended.transactionId, renewal.transactionId])
			expect(text).not.toContain(secret);
		const csv = await listed(funnel, partner, '', { Accept: 'text/csv' });
		expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
			'sale_id,reason_code,reason,amount_cents,refunded_cents,currency,product_id,created_at,created_day,sub_id',
			expect.stringMatching(
				new RegExp(`^${suspended.saleId},partner_suspended,Your membership was suspended when it was recorded,300,0,USD,,.+`),
			),
		]);
	});

	test('are paged and filtered by range', async () => {
		const [first, second] = (await listed(funnel, partner)).body.data;
		const page = await listed(funnel, partner, '?limit=1');
		expect([page.body.data.map(({ id }) => id), page.body.meta.next_cursor]).toEqual([[first?.id], String(first?.id)]);
		const next = await listed(funnel, partner, `?limit=1&cursor=${page.body.meta.next_cursor}`);
		expect([next.body.data.map(({ id }) => id), next.body.meta.next_cursor]).toEqual([[second?.id], null]);
		expect((await listed(funnel, partner, '?to=2020-01-01')).body.data).toEqual([]);
		expect((await listed(funnel, partner, '?from=2020-01-01')).body.data).toHaveLength(2);
	});

	test('are only for the partner, even after the membership has ended', async () => {
		expect((await listed(funnel, funnel.owner)).status).toBe(404);
		expect((await listed(other, partner)).status).toBe(404);
		expect((await listed(funnel, partner, '?limit=0')).status).toBe(400);
		const place = await aFunnel();
		const person = await asPartner(place);
		await api(`/api/v1/programs/${place.id}/partners/${place.partnerId}`, { token: place.owner.token, method: 'DELETE' });
		expect((await listed(place, person)).status).toBe(200);
	});
});

async function clickOf({ shortLink }: Funnel): Promise<string> {
	const { body } = await track('click', { affiliate_url: `https://shop.example/?aff=${shortLink}` });
	return String(body['click_id']);
}

test("the days of the partner's own performance are available as CSV", async () => {
	const funnel = await aFunnel();
	const partner = await asPartner(funnel);
	await aSale(funnel);
	await aSale(funnel, { currency: 'EUR', amount_cents: 100 });
	const own = `/api/v1/partner-programs/${funnel.partnerProgramId}/performance?period=7d`;
	const { headers, text } = await api(own, { token: partner.token, headers: { Accept: 'text/csv' } });
	const { body } = await api<{ days: { date: string; leads: number; sales: number; revenue_cents: number }[] }>(own, {
		token: partner.token,
	});
	expect(headers.get('Content-Disposition')).toBe(`attachment; filename="performance-${funnel.partnerProgramId}.csv"`);
	const lines = text.trimEnd().split('\r\n');
	expect(lines[0]).toBe(
		'date,clicks,leads,conversions,sales,revenue_cents,net_revenue_cents,commission_cents,net_commission_cents,sales_EUR,revenue_cents_EUR,net_revenue_cents_EUR,commission_cents_EUR,net_commission_cents_EUR',
	);
	expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(body.data.days.map(({ date }) => date));
	const [date, _clicks, ...rest] = lines.at(-1)?.split(',') ?? [];
	expect([date, ...rest.slice(2)]).toEqual([
		body.data.days.at(-1)?.date,
		'2',
		'10000',
		'10000',
		'2000',
		'2000',
		'1',
		'100',
		'100',
		'20',
		'20',
	]);
});
