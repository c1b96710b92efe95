import type { PartnerMembership } from '../accounts/partner-membership.ts';
import { readSums } from '../commission-sums/read-sums.ts';
import type { Context } from '../context.ts';
import type { CommissionSum } from '../domain/commissions/commission-sums.ts';
import type { OwnCommissionFilter } from './own-commission.ts';

/** Count and sum per state and currency. One round trip. */
export function summarizeOwnCommissions(
	ctx: Context,
	{ id, program }: Pick<PartnerMembership, 'id' | 'program'>,
	filter: OwnCommissionFilter,
): Promise<CommissionSum[]> {
	return readSums(ctx, { program, partnerProgramId: id }, filter);
}
