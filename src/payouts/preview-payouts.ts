import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { isEmpty } from '../domain/payouts/due.ts';
import { type Minimum, minimumOf, type PayableCommission, type PlannedPayout, planPayouts } from '../domain/payouts/payout.ts';
import { type MatchingRequest, readMatching } from './matching-commissions.ts';

const LEFT_OUT_LIMIT = 500;

export interface PreviewedPayout extends PlannedPayout<PayableCommission> {
	readonly partner: Awaited<ReturnType<typeof readMatching>>['members'][number]['partner'];
}

export interface PayoutPreview {
	readonly minimum: Minimum;
	readonly payouts: readonly PreviewedPayout[];
	/** Nonempty accounts; at most `LEFT_OUT_LIMIT`. */
	readonly leftOut: readonly PreviewedPayout[];
	readonly leftOutCount: number;
}

/** What a payout with this request would pay now. One round trip. Writes nothing. Rejects like `payCommissions`. */
export async function previewPayouts(
	ctx: Context,
	program: Pick<ManagedProgram, 'id' | 'currency' | 'payoutMinimumCents'>,
	request: MatchingRequest,
): Promise<PayoutPreview> {
	const { found, accounts, members } = await readMatching(ctx, program, request);
	const minimum = minimumOf(request.minimumCents, program);
	const partners = new Map(members.map(({ partnerProgramId, partner }) => [partnerProgramId, partner]));
	const planned = planPayouts(found, accounts, minimum, ctx.now).flatMap((payout) => {
		const partner = partners.get(payout.account.partnerProgramId);
		return partner ? [{ ...payout, partner }] : [];
	});
	const leftOut = planned.filter((payout) => payout.leftOut !== undefined && !isEmpty(payout.account));
	return {
		minimum,
		payouts: planned.filter((payout) => payout.leftOut === undefined),
		leftOut: leftOut.slice(0, LEFT_OUT_LIMIT),
		leftOutCount: leftOut.length,
	};
}
