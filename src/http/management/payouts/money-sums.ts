import { Hono } from 'hono';
import type { MoneySum } from '../../../domain/payouts/money-sums.ts';
import { sumMoney } from '../../../payouts/sum-money.ts';
import type { AppEnv } from '../../app-env.ts';
import { noQuery } from '../../validate.ts';
import { requireProgram } from '../session.ts';

/** /api/v1/programs/:id/payouts/sums */
export const moneySums = new Hono<AppEnv>().get('/', requireProgram('member'), noQuery, async (c) => {
	const { ctx, program } = c.var;
	const { month, sums } = await sumMoney(ctx, program);
	return c.json({ success: true, data: { month: month.name, currencies: sums.map(sumOnWire) } });
});

function sumOnWire(sum: MoneySum) {
	return {
		currency: sum.currency,
		due_cents: sum.dueCents,
		on_hold_cents: sum.onHoldCents,
		on_its_way_cents: sum.onItsWayCents,
		on_its_way_payouts: sum.onItsWayPayouts,
		paid_this_month_cents: sum.paidThisMonthCents,
		paid_this_month_payouts: sum.paidThisMonthPayouts,
	};
}
