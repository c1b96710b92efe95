import { eq, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { read, write } from '../db/client.ts';
import { programs } from '../db/schema/programs.ts';
import { postbacks } from '../db/schema/postbacks.ts';
import { type PostbackEvent, postbackProblem } from '../domain/webhooks/postback.ts';
import { conflict, invalid } from '../domain/rejection.ts';
import { isPostbackOf, type Postback, requireFound, selectPostback, SWITCHED_OFF } from './postback.ts';

export interface NewPostback {
	readonly url: string;
	readonly events: readonly PostbackEvent[];
}

/** Also enables the postback. Rejects with 400 for a forbidden URL, and with 409 if the program allows no postbacks. */
export async function setPostback(ctx: Context, membership: PartnerMembership, { url, events }: NewPostback): Promise<Postback> {
	const problem = postbackProblem(url, ctx.settings.takesAnyWebhookAddress);
	if (problem !== undefined) throw invalid(problem);
	const { id, program, workspaceId, partner, actor } = membership;
	const { allowed, before } = await read(ctx.db, {
		allowed: ctx.db.select({ isAllowed: programs.partnerPostbacks }).from(programs).where(eq(programs.id, program.id)),
		before: selectPostback(ctx, membership),
	});
	if (allowed[0]?.isAllowed !== true) throw conflict('The program does not allow postbacks');
	if (before[0]?.disabledFor === 'program') throw conflict(SWITCHED_OFF);
	const eventsJson = JSON.stringify(events);
	const { set } = await write(
		ctx.db,
		[
			ctx.db.run(sql`
				INSERT INTO postbacks (program_id, partner_program_id, url, events, created_at)
				SELECT program_id, id, ${url}, ${eventsJson}, ${ctx.now} FROM partner_programs WHERE id = ${id} AND status = 'active'
				ON CONFLICT (partner_program_id) WHERE deleted_at IS NULL
				DO UPDATE SET url = excluded.url, events = excluded.events, disabled_at = NULL, disabled_for = NULL, failures = 0, failing_since = NULL,
					rests_until = NULL
				WHERE disabled_for IS NOT 'program'`),
			auditEntry(ctx, actor, {
				workspaceId,
				programId: program.id,
				action: 'postback.set',
				subjectId: sql<number>`(SELECT id FROM ${postbacks} WHERE ${isPostbackOf(membership)})`,
				detail: { partner_id: partner.id, events },
			}),
		],
		{ set: selectPostback(ctx, membership) },
	);
	if (!set[0]) throw conflict('Your membership has changed: reload and try again');
	const postback = requireFound(set);
	if (postback.disabledFor === 'program') throw conflict(SWITCHED_OFF);
	return postback;
}
