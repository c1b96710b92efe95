import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { payouts } from '../db/schema/money.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import { membershipIdOf } from '../partners/membership-id.ts';
import { filterOf, isIn, type Payout, type PayoutFilter, selectPayouts } from './payout.ts';

/** Newest first. */
export async function listPayouts(
	ctx: Context,
	program: { readonly id: number },
	request: PageRequest & Pick<PayoutFilter, 'status' | 'partnerId' | 'currency' | 'method'>,
): Promise<Page<Payout>> {
	const { partnerId, status } = request;
	const isOfStatus = status && isIn(status);
	const list = {
		order: newestFirst(payouts.id),
		where: and(
			partnerId === undefined ? eq(payouts.programId, program.id) : eq(payouts.partnerProgramId, membershipIdOf(program.id, partnerId)),
			// Most payouts are sent, so no index covers that status.
			status === 'sent' ? undefined : isOfStatus,
		),
		filter: and(status === 'sent' ? isOfStatus : undefined, filterOf(request)),
	};
	return readPage(ctx.db, list, request, (isOnPage, limit) =>
		selectPayouts(ctx, program.id, { partnerId, condition: isOnPage }).limit(limit),
	);
}
