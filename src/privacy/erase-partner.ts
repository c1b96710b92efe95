import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { conflict } from '../domain/rejection.ts';
import { type Partner, requirePartner, selectPartners } from '../partners/partner.ts';
import { erasePartners } from './erase-partners.ts';

/**
 * Erases a partner's personal data in the workspace; financial records stay. Safe to repeat. Needs an admin. Rejects with 404, and with 409
 * if a membership in any program has not ended.
 */
export async function erasePartner(ctx: Context, program: ManagedProgram, partnerId: number): Promise<Partner> {
	const partner = await requirePartner(ctx, program.id, partnerId);
	// NULL violates the column's constraint if a membership has not ended.
	const onceEnded = ctx.db.run(sql`
		UPDATE partners SET name = CASE WHEN NOT EXISTS (
			SELECT 1 FROM partner_programs WHERE partner_id = partners.id AND status <> 'ended') THEN name END
		WHERE id = ${partnerId}`);
	const audit = auditProgram(ctx, program, { action: 'partner.erase', subjectId: partnerId });
	try {
		const { erased } = await write(ctx.db, [onceEnded, ...erasePartners(ctx, sql`(SELECT ${partnerId})`), audit], {
			erased: selectPartners(ctx, program.id, { partnerId }),
		});
		return erased[0] ?? partner;
	} catch (error) {
		if (refusedWith(error, 'NOT NULL constraint failed: partners.name'))
			throw conflict('The partner is still in a program of the workspace: end every membership first');
		throw error;
	}
}
