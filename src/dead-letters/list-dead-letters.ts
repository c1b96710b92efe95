import { desc, isNull } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { deadLetters } from '../db/schema/work.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { type DeadLetter, isOwnedBy, selectDeadLetters, toDeadLetter } from './dead-letter.ts';

/** Newest first. `isWaiting` excludes settled ones. */
export async function listDeadLetters(
	ctx: Context,
	actor: Pick<Actor, 'userId'>,
	filter: PageRequest & { readonly isWaiting: boolean },
): Promise<Page<DeadLetter>> {
	const list = {
		order: newestFirst(deadLetters.id),
		where: filter.isWaiting ? isNull(deadLetters.replayedAt) : undefined,
		filter: isOwnedBy(ctx, actor.userId),
	};
	const page = await readPage(ctx.db, list, filter, (isOnPage, limit) =>
		selectDeadLetters(ctx).where(isOnPage).orderBy(desc(deadLetters.id)).limit(limit),
	);
	return mapPage(page, toDeadLetter);
}
