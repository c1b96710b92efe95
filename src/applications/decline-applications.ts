import { and, eq } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import { conflict } from '../domain/rejection.ts';
import { type Application, isSelected, requireOpen, selectApplications } from './application.ts';

/**
 * Declines all applications or none, and notifies the applicants. Needs an admin. Rejects with 404 for an unknown application, and with 409
 * for a decided one.
 */
export async function declineApplications(
	ctx: Context,
	program: ManagedProgram,
	applicationIds: readonly number[],
	reason: string | undefined,
): Promise<Application[]> {
	const ids = [...new Set(applicationIds)];
	const found = await selectApplications(ctx, program.id, isSelected(ids));
	requireOpen(ids, found);
	try {
		const { declined } = await write(
			ctx.db,
			[
				ctx.db
					.update(partnerApplications)
					.set({ status: 'declined', decidedAt: ctx.now, decidedBy: program.actor.userId, reason: reason ?? null })
					.where(and(eq(partnerApplications.programId, program.id), isSelected(ids))),
				auditProgram(ctx, program, { action: 'application.decline', detail: { application_ids: ids } }),
			],
			{ declined: selectApplications(ctx, program.id, isSelected(ids)) },
		);
		for (const { email: to } of ctx.mail ? declined : []) {
			if (ctx.mail) ctx.defer(ctx.mail({ kind: 'application_declined', to, programName: program.name, reason: reason ?? null }));
		}
		return declined;
	} catch (error) {
		throw refusedWith(error, 'partner_applications: decided')
			? conflict('The application has been decided in the meantime. Reload and try again')
			: error;
	}
}
