import { and, desc, isNull, lt } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { deadLetters } from '../db/schema/work.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type DeadLetter, isOwnedBy, selectDeadLetters, toDeadLetter } from './dead-letter.ts';

/** The dead letters of the workspaces that the actor owns, newest first; on request those only that nobody has replayed yet. */
export async function listDeadLetters(
	ctx: Context,
	actor: Pick<Actor, 'userId'>,
	filter: PageRequest & { readonly isWaiting: boolean },
): Promise<Page<DeadLetter>> {
	const rows = await selectDeadLetters(ctx)
		.where(
			and(
				isOwnedBy(ctx, actor.userId),
				filter.isWaiting ? isNull(deadLetters.replayedAt) : undefined,
				filter.cursor === undefined ? undefined : lt(deadLetters.id, filter.cursor),
			),
		)
		.orderBy(desc(deadLetters.id))
		.limit(filter.limit + 1);
	return pageOf(rows.map(toDeadLetter), filter.limit);
}
