import { type SQL, sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import { selectSums, sumsFound } from '../commission-sums/read-sums.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type Month, monthAt, type MoneySum, moneySums, type PayoutSum } from '../domain/payouts/money-sums.ts';

export interface MoneyNow {
	/** The current month in the program's time zone. */
	readonly month: Month;
	readonly sums: readonly MoneySum[];
}

/**
 * Where a program's money is, by currency. One round trip. It reads stored sums, so it does not matter how many commissions and payouts
 * there are.
 */
export async function sumMoney(ctx: Context, program: Pick<ManagedProgram, 'id' | 'currency' | 'timeZone'>): Promise<MoneyNow> {
	const month = monthAt(ctx.now, program.timeZone);
	const { onItsWay, paidThisMonth, ...commissions } = await read(ctx.db, {
		...selectSums(ctx, { program }, {}),
		onItsWay: selectPayouts(ctx, program.id, sql`sent_from = 0`),
		paidThisMonth: selectPayouts(ctx, program.id, sql`sent_from >= ${month.start}`),
	});
	return {
		month,
		sums: moneySums({ currency: program.currency, commissions: sumsFound(ctx, { program }, commissions), onItsWay, paidThisMonth }),
	};
}

function selectPayouts({ db }: Context, programId: number, sent: SQL) {
	return db.all<PayoutSum>(sql`
		SELECT currency, sum(payouts) AS payouts, sum(amount_cents) AS amountCents FROM payout_sums
		WHERE program_id = ${programId} AND ${sent} GROUP BY currency`);
}
