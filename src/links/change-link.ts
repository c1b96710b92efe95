import { and, eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { referralLinks } from '../db/schema/partners.ts';
import { notFound } from '../domain/rejection.ts';
import { type ProgramLink, selectLinks } from './link.ts';

export interface LinkChanges {
	/** Null removes the destination. */
	readonly destinationUrl?: string | null | undefined;
	/** An archived link records no clicks; it can be restored. */
	readonly archived?: boolean | undefined;
}

/** Changes a link's destination or state, never its partner or short_link. Rejects with 404. */
export async function changeLink(ctx: Context, program: ManagedProgram, linkId: number, changes: LinkChanges): Promise<ProgramLink> {
	const [link] = await selectLinks(ctx, program.id, { linkId });
	if (!link) throw notFound('Link');
	const { changed } = await write(
		ctx.db,
		[
			ctx.db
				.update(referralLinks)
				.set({
					destinationUrl: changes.destinationUrl === undefined ? sql`${referralLinks.destinationUrl}` : changes.destinationUrl,
					archivedAt: archivedAtOf(ctx, changes.archived),
				})
				.where(and(eq(referralLinks.id, linkId), eq(referralLinks.programId, program.id))),
			auditProgram(ctx, program, {
				action: 'link.change',
				subjectId: linkId,
				detail: { destination_url: changes.destinationUrl, archived: changes.archived },
			}),
		],
		{ changed: selectLinks(ctx, program.id, { linkId }) },
	);
	ctx.links.clear();
	return changed[0] ?? link;
}

/** An archived link keeps its date. */
function archivedAtOf(ctx: Context, archived: boolean | undefined) {
	if (archived === undefined) return sql`${referralLinks.archivedAt}`;
	return archived ? sql`coalesce(${referralLinks.archivedAt}, ${ctx.now})` : null;
}
