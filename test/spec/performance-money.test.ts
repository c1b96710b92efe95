import { beforeAll, describe, expect, test } from 'vitest';
import { atInstant } from '../support/at-instant.ts';
import { aFunnel, aSale, sharedOwner } from '../support/funnel.ts';
import { aLeadAlone, askReport, readReport } from '../support/report.ts';
import { api, type Owner } from '../support/world.ts';

// Contract, 4.7; decisions 22 to 26: money in a report.

const at = (instant: string) => Date.parse(instant);
const noon = (day: string) => at(`${day}T12:00:00Z`);
const funnelOf = (created: string, overrides: Record<string, unknown> = {}) => atInstant(at(created), () => aFunnel(overrides));

let owner: Owner;
beforeAll(async () => {
	owner = await sharedOwner();
});

describe('money', () => {
	test('in other currencies is reported separately, never added', async () => {
		const funnel = await funnelOf('2026-05-01T10:00:00Z');
		const report = await atInstant(noon('2026-05-02'), async () => {
			await aSale(funnel, { amount_cents: 1_000 });
			await aSale(funnel, { amount_cents: 2_000, currency: 'eur' });
			await aSale(funnel, { amount_cents: 500, currency: 'JPY' });
			return readReport(funnel);
		});
		expect(report.data.at(-1)).toMatchObject({
			revenue: 10,
			commission: 2,
			currencies: { EUR: { revenue: 20, commission: 4 }, JPY: { revenue: 500, commission: 100 } },
		});
		expect(report.metrics).toMatchObject({
			totalSales: 3,
			totalRevenue: 10,
			totalPartnersCommission: 2,
			currencies: {
				EUR: { totalSales: 1, totalRevenue: 20, netRevenue: 20, totalPartnersCommission: 4, netCommission: 4 },
				JPY: { totalSales: 1, totalRevenue: 500, netRevenue: 500, totalPartnersCommission: 100, netCommission: 100 },
			},
		});
		const csv = await atInstant(noon('2026-05-02'), () => askReport(funnel.id, '', owner.token, { Accept: 'text/csv' }));
		expect(csv.text.split('\r\n')[0]).toBe(
			'date,clicks,leads,conversions,revenue,partners,sales,commission,revenue_EUR,commission_EUR,revenue_JPY,commission_JPY',
		);
		expect(csv.text.split('\r\n')[7]).toMatch(/^2026-05-02,\d+,3,3,10,0,0,2,20,4,500,100$/);
	});

	test('is rounded half up: 36.665 is 36.67', async () => {
		const funnel = await funnelOf('2026-05-01T10:00:00Z', { currency: 'KWD' });
		const { data, metrics } = await atInstant(noon('2026-05-01'), async () => {
			await aSale(funnel, { amount_cents: 36_665 });
			return readReport(funnel);
		});
		expect([data.at(-1)?.revenue, metrics.totalRevenue, metrics.averageOrderValue]).toEqual([36.665, 36.67, 36.67]);
	});

	test('of a rejected commission counts in the gross, not in the net', async () => {
		const funnel = await aFunnel();
		const { commissionId } = await aSale(funnel, { amount_cents: 10_000 });
		await api(`/api/v1/programs/${funnel.id}/commissions/reject`, {
			token: owner.token,
			body: { commission_ids: [commissionId], reason: 'Bought by the partner' },
		});
		expect((await readReport(funnel)).metrics).toMatchObject({ totalPartnersCommission: 20, netCommission: 0, netRevenue: 100 });
	});

	test('counts remain if the program changes its currency before the first sale', async () => {
		const funnel = await aFunnel();
		await aLeadAlone(funnel);
		await api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: owner.token, body: { currency: 'EUR' } });
		const key = await aLeadAlone(funnel);
		await aSale(funnel, { customer_key: key, amount_cents: 100 });
		expect((await readReport(funnel)).metrics).toMatchObject({
			totalLeads: 1,
			totalSignups: 2,
			totalConversions: 1,
			totalPartners: 1,
			totalRevenue: 1,
			currencies: {},
		});
	});
});
