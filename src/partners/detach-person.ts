import { and, eq } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { partners } from '../db/schema/partners.ts';
import { type Partner, requirePartner, selectPartners } from './partner.ts';

/**
 * Takes the person off who accepted, such as a wrong one: they read nothing of the partner's any more, in no program of the workspace,
 * and somebody else can be invited. Once more is fine. Rejects with 404.
 */
export async function detachPerson(ctx: Context, program: ManagedProgram, partnerId: number): Promise<Partner> {
	const partner = await requirePartner(ctx, program.id, partnerId);
	const { userId } = partner;
	if (userId === null) return partner;
	const { detached } = await write(
		ctx.db,
		[
			ctx.db
				.update(partners)
				.set({ userId: null })
				.where(and(eq(partners.id, partnerId), eq(partners.userId, userId))),
			auditProgram(ctx, program, { action: 'partner.detach', subjectId: partnerId, detail: { user_id: userId } }),
		],
		{ detached: selectPartners(ctx, program.id, { partnerId }) },
	);
	return detached[0] ?? partner;
}
