import type { Context } from '../context.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Payout, type PayoutFilter, selectPayouts } from './payout.ts';

/** The payouts of a program, or some of them, newest first. */
export async function listPayouts(
	ctx: Context,
	program: { readonly id: number },
	{ cursor, limit, ...only }: PageRequest & Pick<PayoutFilter, 'status' | 'partnerId' | 'currency' | 'method'>,
): Promise<Page<Payout>> {
	const rows = await selectPayouts(ctx, program.id, { ...only, before: cursor }).limit(limit + 1);
	return pageOf(rows, limit);
}
