import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { conflict } from '../domain/rejection.ts';
import { requireMembers, selectMembers } from './selected-partners.ts';
import { HAS_ENDED, setStatus, type StatusChange } from './set-status.ts';

/**
 * Suspends, resumes or ends all of the memberships or none, and notifies the partners. Needs an admin. Rejects with 404, and with 409 for
 * an ended membership.
 */
export async function changeStatuses(ctx: Context, program: ManagedProgram, change: StatusChange): Promise<void> {
	const partnerIds = [...new Set(change.partnerIds)];
	const members = await selectMembers(ctx, program.id, partnerIds);
	requireMembers(partnerIds, members);
	const { status } = change;
	try {
		await write(ctx.db, [
			...setStatus(ctx, program.id, { ...change, partnerIds }),
			auditProgram(ctx, program, { action: 'partner.status', detail: { partner_ids: partnerIds, status } }),
		]);
	} catch (error) {
		throw refusedWith(error, HAS_ENDED) ? conflict('A membership has ended in the meantime. Reload and try again') : error;
	}
	ctx.links.clear();
}
