import { describe, expect, test } from 'vitest';
import { ownMoneyOf } from '../../../src/domain/payouts/own-money.ts';

const NOTHING = {
	onHoldCents: 0,
	availableCents: 0,
	onItsWayCents: 0,
	onItsWayPayouts: 0,
	onItsWayPayoutId: null,
	paidCents: 0,
	paidPayouts: 0,
};
const unsent = { currency: 'USD', isSent: false, payouts: 1, amountCents: 700, newestId: 62 };
const sent = { currency: 'USD', isSent: true, payouts: 3, amountCents: 9_000, newestId: 61 };

describe("where a partner's money is", () => {
	test("begins with the program's currency, even without any money", () => {
		expect(ownMoneyOf('USD', {}, [])).toEqual([{ currency: 'USD', ...NOTHING }]);
	});

	test('says what is on hold, available, on its way and paid', () => {
		const balances = { USD: { availableCents: 300, pendingCents: 200, debtCents: 0 } };
		expect(ownMoneyOf('USD', balances, [sent, unsent])).toEqual([
			{
				currency: 'USD',
				onHoldCents: 200,
				availableCents: 300,
				onItsWayCents: 700,
				onItsWayPayouts: 1,
				onItsWayPayoutId: 62,
				paidCents: 9_000,
				paidPayouts: 3,
			},
		]);
	});

	test('names the payout on its way only if it is the only one', () => {
		expect(ownMoneyOf('USD', {}, [{ ...unsent, payouts: 2 }])[0]).toMatchObject({ onItsWayPayouts: 2, onItsWayPayoutId: null });
	});

	test('leaves out no currency that has a balance, a debt or a payout', () => {
		const balances = {
			USD: { availableCents: 0, pendingCents: 0, debtCents: 0 },
			JPY: { availableCents: 0, pendingCents: 0, debtCents: 5 },
			CHF: { availableCents: 0, pendingCents: 0, debtCents: 0 },
		};
		const payouts = [{ ...sent, currency: 'EUR' }];
		expect(ownMoneyOf('USD', balances, payouts).map(({ currency }) => currency)).toEqual(['USD', 'EUR', 'JPY']);
	});
});
