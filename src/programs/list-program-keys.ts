import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { programKeys } from '../db/schema/programs.ts';
import type { Page, PageRequest } from '../domain/page.ts';

export interface ProgramKey {
	readonly id: number;
	/** The first characters. */
	readonly prefix: string;
	readonly createdAt: number;
	/** Accurate to the hour. Null if no call used the key. */
	readonly lastUsedAt: number | null;
	/** Null for the current key. */
	readonly expiresAt: number | null;
}

/** The current key and earlier ones within their overlap, newest first. */
export async function listProgramKeys(ctx: Context, program: { readonly id: number }, request: PageRequest): Promise<Page<ProgramKey>> {
	const list = {
		order: newestFirst(programKeys.id),
		where: and(eq(programKeys.programId, program.id), or(isNull(programKeys.expiresAt), gt(programKeys.expiresAt, ctx.now))),
	};
	return readPage(ctx.db, list, request, (isOnPage, limit) =>
		ctx.db
			.select({
				id: programKeys.id,
				prefix: programKeys.prefix,
				createdAt: programKeys.createdAt,
				lastUsedAt: programKeys.lastUsedAt,
				expiresAt: programKeys.expiresAt,
			})
			.from(programKeys)
			.where(isOnPage)
			.orderBy(desc(programKeys.id))
			.limit(limit),
	);
}
