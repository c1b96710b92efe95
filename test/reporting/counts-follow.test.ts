import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { aClick, aFunnel, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { aLeadAlone, clicksAt, readBreakdown, readReport } from '../support/report.ts';
import { applyWaiting } from '../support/effects.ts';
import { api, unique } from '../support/world.ts';

// Counts follow a program's settings and members when they change, whether the deltas are waiting or applied.

const NOON = Date.parse('2026-05-02T12:00:00Z');
const TODAY = '2026-05-02';

beforeAll(async () => {
	await keepSignedIn();
});

test('a partner who leaves and returns is counted once, on the first day', async () => {
	const funnel = await aWorld();
	const [stored] = await rows<{ email: string }>('SELECT email FROM partners WHERE id = ?', funnel.partnerId);
	const members = `/api/v1/programs/${funnel.id}/partners`;
	for (const waits of [true, false]) {
		if (!waits) await applyWaiting(funnel);
		const later = NOON + DAY_MS;
		await atInstant(later, () => api(`${members}/${funnel.partnerId}`, { method: 'DELETE', token: funnel.owner.token }));
		const again = await atInstant(later, () => api(members, { token: funnel.owner.token, body: { name: 'Pat', email: stored?.email } }));
		expect(again.status).toBe(201);
		const { data } = await atInstant(later, () => readReport(funnel));
		expect(data.slice(-2).map(({ date, partners }) => [date, partners])).toEqual([
			[TODAY, 1],
			['2026-05-03', 0],
		]);
		expect(await drift(funnel)).toBe(0);
	}
	expect((await dailyRowsOf(funnel)).map((row) => row['partners'])).toEqual([1]);
});

test("a lead moves to its click's partner even if that is applied before the lead is", async () => {
	const funnel = await aWorld();
	await applyWaiting(funnel);
	const customer_key = unique('customer');
	const later = NOON + DAY_MS;
	await atInstant(later, () => track('lead', { customer_key }, funnel.apiToken));
	const click_id = await atInstant(NOON, () => aClick(funnel));
	await atInstant(later + 1, () => track('lead', { customer_key, click_id }, funnel.apiToken));
	const expectOneLead = async () => {
		const { data } = await atInstant(later, () => readBreakdown(funnel, 'by=partner&dateFrom=2026-05-03&dateTo=2026-05-03'));
		expect(data.map(({ value, leads }) => [value, leads])).toEqual([[funnel.partnerId, 1]]);
	};
	await expectOneLead();
	await applyWaiting(funnel, (index) => index === 1);
	await expectOneLead();
	await applyWaiting(funnel);
	await expectOneLead();
	expect(await drift(funnel)).toBe(0);
});

describe.each([
	['still waiting', false],
	['already applied', true],
])('the counts %s', (_when, isApplied) => {
	test("follow the program's currency without drift", async () => {
		const funnel = await aWorld();
		await atInstant(NOON, () => aLeadAlone(funnel));
		await clicksAt(funnel, '2026-05-02T11:00:00.000Z', 2);
		if (isApplied) await applyWaiting(funnel);
		for (const currency of ['EUR', 'JPY']) {
			expect(await setProgram(funnel, { currency })).toBe(200);
			const { data, metrics } = await atInstant(NOON, () => readReport(funnel));
			expect(data.at(-1)).toMatchObject({ clicks: 2, leads: 1, partners: 1 });
			expect(metrics.currencies).toEqual({});
			expect(await drift(funnel)).toBe(0);
		}
		await applyWaiting(funnel);
		expect(await dailyRowsOf(funnel)).toEqual([expect.objectContaining({ currency: 'JPY', clicks: 2, leads: 1, partners: 1 })]);
		expect(await drift(funnel)).toBe(0);
	});

	test('of partners follow its time zone', async () => {
		const funnel = await aWorld();
		if (isApplied) await applyWaiting(funnel);
		for (const [time_zone, day] of [
			['Pacific/Kiritimati', '2026-05-03'],
			['Pacific/Pago_Pago', '2026-05-02'],
			['Pacific/Kiritimati', '2026-05-03'],
		] as const) {
			expect(await setProgram(funnel, { time_zone })).toBe(200);
			const { data } = await atInstant(NOON, () => readReport(funnel, '?dateFrom=2026-05-01&dateTo=2026-05-03'));
			expect(data.filter(({ partners }) => partners !== 0).map(({ date, partners }) => [date, partners])).toEqual([[day, 1]]);
			for (const each of [TODAY, '2026-05-03'])
				expect(await rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: time_zone }, each)).toBe(0);
		}
		await applyWaiting(funnel);
		const counted = await rows('SELECT day, partners FROM daily_performance WHERE program_id = ? AND partners <> 0', funnel.id);
		expect(counted).toEqual([{ day: '2026-05-03', partners: 1 }]);
	});
});

function aWorld(): Promise<Funnel> {
	return atInstant(NOON, () => aFunnel());
}

async function setProgram(funnel: Funnel, body: Record<string, unknown>): Promise<number> {
	const { status } = await atInstant(NOON, () =>
		api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: funnel.owner.token, body }),
	);
	return status;
}

function drift(funnel: Funnel): Promise<number> {
	return rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: 'UTC' }, TODAY);
}

function dailyRowsOf(funnel: Funnel) {
	return rows('SELECT * FROM daily_performance WHERE program_id = ? ORDER BY day, currency', funnel.id);
}
