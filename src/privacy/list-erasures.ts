import { desc, eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { users } from '../db/schema/accounts.ts';
import { erasures } from '../db/schema/privacy.ts';
import { mapPage, type PageRequest } from '../domain/page.ts';
import { once } from '../once.ts';

const Counts = once(() =>
	z.object({
		customers: z.number(),
		clicks: z.number(),
		leads: z.number(),
		sales: z.number(),
		refusals: z._default(z.number(), 0),
		processor_events: z.number(),
		dead_letters: z.number(),
		notifications: z.number(),
	}),
);

/** Newest first, without identities. One round trip. */
export async function listErasures(ctx: Context, program: { readonly id: number }, request: PageRequest) {
	const list = { order: newestFirst(erasures.id), where: eq(erasures.programId, program.id) };
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) =>
		ctx.db
			.select({
				id: erasures.id,
				requestedAt: erasures.requestedAt,
				requestedBy: { id: users.id, name: users.name },
				counts: erasures.counts,
				nextSweepAt: erasures.nextSweepAt,
			})
			.from(erasures)
			.innerJoin(users, eq(users.id, erasures.requestedBy))
			.where(isOnPage)
			.orderBy(desc(erasures.id))
			.limit(limit),
	);
	return mapPage(page, (row) => ({ ...row, counts: Counts().parse(JSON.parse(row.counts)) }));
}
