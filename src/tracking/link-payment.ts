import type { Context } from '../context.ts';

/**
 * Makes the ids of one payment lead to its sale. Returns the sale that any of them led to before; undefined where the program
 * has none.
 */
export async function linkPayment(
	ctx: Context,
	programId: number,
	isTest: boolean,
	paymentIds: readonly string[],
): Promise<number | undefined> {
	throw new Error(`Not linked: ${ctx.now} ${programId} ${isTest} ${paymentIds.join()}`);
}
