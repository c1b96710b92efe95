import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { type Partner, requirePartner, selectPartners } from './partner.ts';
import { setStatus } from './set-status.ts';

/**
 * Ends the membership. Links keep their short_link but lose their partner; commissions and balances stay. Ending the last one in the
 * workspace withdraws an open invitation. Safe to repeat. Rejects with 404.
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
