import { and, eq } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { requirePassword } from '../accounts/require-password.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { users, workspaces } from '../db/schema/accounts.ts';
import { partners } from '../db/schema/partners.ts';
import { deferEmail } from '../accounts/defer-email.ts';
import { type Partner, requirePartner, selectPartners } from './partner.ts';

/**
 * Removes the person who accepted the invitation, so that somebody else can be invited and paid. It needs the password and notifies the
 * person, because they lose the partner in every program of the workspace. Safe to repeat. Rejects with 403 and 404.
 */
export async function detachPerson(ctx: Context, program: ManagedProgram, partnerId: number, password: string): Promise<Partner> {
	const { actor, workspaceId, id: programId } = program;
	await requirePassword(ctx, actor, password, { workspaceId, programId, action: 'partner.detach', subjectId: partnerId });
	const partner = await requirePartner(ctx, program.id, partnerId);
	const { userId } = partner;
	if (userId === null) return partner;
	const { detached, person } = await write(
		ctx.db,
		[
			ctx.db
				.update(partners)
				.set({ userId: null })
				.where(and(eq(partners.id, partnerId), eq(partners.userId, userId))),
			auditProgram(ctx, program, { action: 'partner.detach', subjectId: partnerId, detail: { user_id: userId } }),
		],
		{
			detached: selectPartners(ctx, program.id, { partnerId }),
			person: ctx.db
				.select({ to: users.email, name: users.name, workspaceName: workspaces.name })
				.from(users)
				.innerJoin(workspaces, eq(workspaces.id, workspaceId))
				.where(eq(users.id, userId)),
		},
	);
	const [recipient] = person;
	if (recipient) deferEmail(ctx, { kind: 'partner_detached', ...recipient });
	return detached[0] ?? partner;
}
