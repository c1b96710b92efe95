import type { Context } from '../context.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type Payout, selectPayouts } from './payout.ts';

/** The payouts of a program, or of one of its partners, newest first. */
export async function listPayouts(
	ctx: Context,
	program: { readonly id: number },
	page: PageRequest & { readonly partnerId: number | undefined },
): Promise<Page<Payout>> {
	const rows = await selectPayouts(ctx, program.id, { partnerId: page.partnerId, before: page.cursor }).limit(page.limit + 1);
	return pageOf(rows, page.limit);
}
