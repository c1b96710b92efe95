import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MoneySum, monthAt, moneySums, type StateSum } from '../../../src/domain/payouts/money-sums.ts';

const NONE = { commissions: [], onItsWay: [], paidThisMonth: [] } as const;

function commissions(fields: Partial<StateSum>): StateSum {
	return { status: 'approved', currency: 'USD', amountCents: 100, deductedCents: 0, ...fields };
}

function sum(fields: Partial<MoneySum>): MoneySum {
	const nothing = { dueCents: 0, onHoldCents: 0, onItsWayCents: 0, onItsWayPayouts: 0, paidThisMonthCents: 0, paidThisMonthPayouts: 0 };
	return { currency: 'USD', ...nothing, ...fields };
}

test('a program without money has one row of zeros, in its currency', () => {
	expect(moneySums({ currency: 'EUR', ...NONE })).toEqual([sum({ currency: 'EUR' })]);
});

test('due is what is left of approved commissions, on hold what is left of pending ones', () => {
	const all = [
		commissions({ amountCents: 500, deductedCents: 20 }),
		commissions({ status: 'pending', amountCents: 70, deductedCents: 1 }),
		...(['paid', 'rejected', 'reversed', 'refunded'] as const).map((status) => commissions({ status, amountCents: 9_000 })),
	];
	expect(moneySums({ currency: 'USD', ...NONE, commissions: all })).toEqual([sum({ dueCents: 480, onHoldCents: 69 })]);
});

test('payouts that are not sent are on their way; those that are sent are paid', () => {
	const found = moneySums({
		currency: 'USD',
		commissions: [],
		onItsWay: [{ currency: 'USD', payouts: 2, amountCents: 300 }],
		paidThisMonth: [{ currency: 'USD', payouts: 3, amountCents: 1_000 }],
	});
	expect(found).toEqual([sum({ onItsWayCents: 300, onItsWayPayouts: 2, paidThisMonthCents: 1_000, paidThisMonthPayouts: 3 })]);
});

test("the program's currency comes first, the others in their order, without those that have no sum", () => {
	const found = moneySums({
		currency: 'JPY',
		commissions: [
			commissions({ currency: 'USD' }),
			commissions({ currency: 'CHF', amountCents: 0 }),
			commissions({ currency: 'GBP', status: 'paid' }),
		],
		onItsWay: [{ currency: 'EUR', payouts: 1, amountCents: 5 }],
		paidThisMonth: [{ currency: 'CAD', payouts: 1, amountCents: 7 }],
	});
	expect(found.map(({ currency }) => currency)).toEqual(['JPY', 'CAD', 'EUR', 'USD']);
});

test('currencies are never added up: each sum has only its own', () => {
	const currency = fc.constantFrom('USD', 'EUR', 'JPY');
	const cents = fc.nat(1_000_000);
	const payouts = fc.uniqueArray(fc.record({ currency, payouts: fc.integer({ min: 1, max: 9 }), amountCents: cents }), {
		selector: (each) => each.currency,
	});
	const approved = fc.array(fc.record({ currency, amountCents: cents }));
	fc.assert(
		fc.property(currency, approved, payouts, payouts, (own, earned, onItsWay, paidThisMonth) => {
			const found = moneySums({ currency: own, commissions: earned.map(commissions), onItsWay, paidThisMonth });
			expect(found[0]?.currency).toBe(own);
			for (const code of ['USD', 'EUR', 'JPY']) {
				const row = found.find((each) => each.currency === code) ?? sum({});
				const total = (rows: readonly { currency: string; amountCents: number }[]) =>
					rows.filter((each) => each.currency === code).reduce((all, { amountCents }) => all + amountCents, 0);
				expect(row).toMatchObject({
					dueCents: total(earned),
					onHoldCents: 0,
					onItsWayCents: total(onItsWay),
					paidThisMonthCents: total(paidThisMonth),
				});
			}
		}),
	);
});

test.each([
	['2026-11-30T23:30:00Z', 'UTC', '2026-11', '2026-11-01T00:00:00Z'],
	['2026-11-30T23:30:00Z', 'Europe/Berlin', '2026-12', '2026-11-30T23:00:00Z'],
	['2026-12-01T00:30:00Z', 'America/New_York', '2026-11', '2026-11-01T04:00:00Z'],
	['2026-03-31T12:00:00Z', 'Asia/Kathmandu', '2026-03', '2026-02-28T18:15:00Z'],
])('%s is in a month of %s', (instant, zone, name, start) => {
	expect(monthAt(Date.parse(instant), zone)).toEqual({ name, start: Date.parse(start) });
});
