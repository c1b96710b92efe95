import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { type Partner, requirePartner, selectPartners } from './partner.ts';
import { setStatus } from './set-status.ts';

/**
 * Ends the membership: its links keep their short_link but have no partner any more, it leaves its group, its commissions and balances
 * stay. With the last one in the workspace ends an open invitation; who has accepted goes on reading what was earned. Once more is
 * fine. Rejects with 404.
 */
export async function endMembership(ctx: Context, program: ManagedProgram, partnerId: number): Promise<Partner> {
	const partner = await requirePartner(ctx, program.id, partnerId);
	if (partner.status === 'ended') return partner;
	const { ended } = await write(
		ctx.db,
		[
			...setStatus(ctx, program.id, { partnerIds: [partnerId], status: 'ended', reason: undefined }),
			auditProgram(ctx, program, {
				action: 'partner.end',
				subjectId: partnerId,
				detail: { links: partner.links.map((link) => link.shortLink) },
			}),
		],
		{ ended: selectPartners(ctx, program.id, { partnerId }) },
	);
	ctx.links.clear();
	return ended[0] ?? partner;
}
