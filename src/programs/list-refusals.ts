import { and, desc, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { refusals } from '../db/schema/refusals.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import type { RefusedCall } from '../domain/refusal.ts';

export interface RefusalFilter extends PageRequest {
	readonly operation?: RefusedCall['operation'] | undefined;
	readonly isRoutine?: boolean | undefined;
	readonly transactionId?: string | undefined;
	readonly clickId?: string | undefined;
	readonly customerKey?: string | undefined;
}

export type Refusal = Omit<typeof refusals.$inferSelect, 'programId' | 'hour' | 'fingerprint'>;

/** Newest first. One round trip. */
export async function listRefusals(ctx: Context, programId: number, request: RefusalFilter): Promise<Page<Refusal>> {
	const { operation, isRoutine, transactionId, clickId, customerKey } = request;
	const list = {
		order: newestFirst(refusals.id),
		where: eq(refusals.programId, programId),
		filter: and(
			operation && eq(refusals.operation, operation),
			isRoutine === undefined ? undefined : eq(refusals.isRoutine, isRoutine),
			transactionId === undefined ? undefined : eq(refusals.transactionId, transactionId),
			clickId === undefined ? undefined : eq(refusals.clickId, clickId),
			customerKey === undefined ? undefined : eq(refusals.customerKey, customerKey),
		),
	};
	return readPage(ctx.db, list, request, (isOnPage, limit) => selectRefusals(ctx).where(isOnPage).orderBy(desc(refusals.id)).limit(limit));
}

/** A program has few refusals, so one index is enough. */
export function selectRefusals(ctx: Context) {
	return ctx.db
		.select({
			id: refusals.id,
			operation: refusals.operation,
			source: refusals.source,
			status: refusals.status,
			code: refusals.code,
			message: refusals.message,
			transactionId: refusals.transactionId,
			clickId: refusals.clickId,
			customerKey: refusals.customerKey,
			amountCents: refusals.amountCents,
			currency: refusals.currency,
			isRoutine: refusals.isRoutine,
			count: refusals.count,
			firstAt: refusals.firstAt,
			lastAt: refusals.lastAt,
		})
		.from(refusals);
}
