import { fillSums, keepSums, keepSumsOfMany } from '../../src/commission-sums/keep-sums.ts';
import type { Context } from '../../src/context.ts';
import { closeMonths } from '../../src/reporting/closed-months.ts';
import { BUSY_PARTNER, PROGRAM_ID } from './size.ts';

/** Starts the sums that the program and its busy partner have asked for. */
export async function beginSums(ctx: Context): Promise<void> {
	await keepSumsOfMany(ctx, [PROGRAM_ID]);
	await keepSums(ctx, { programId: PROGRAM_ID, partnerProgramId: BUSY_PARTNER });
}

/** One turn of cron. Returns 0 if nothing is left to do. */
export async function keepMore(ctx: Context): Promise<number> {
	return (await fillSums(ctx)) + (await closeMonths(ctx, [{ id: PROGRAM_ID, timeZone: 'UTC' }]));
}
